import type { ReactNode } from 'react';
import { ModalLinks } from './modals/modal-links.tsx';
import { usePage } from './page-context.ts';
import { useTexts } from './texts.ts';

export function Footer() {
  const { t } = useTexts();
  const { branding } = usePage();
  const year = new Date().getFullYear();
  const name = branding.account_id === -1 ? t('app.name') : branding.name;
  return (
    <FooterFrame>
      <ModalLinks />
      <p className="footer-promise">{t('app.promise')}</p>
      <p suppressHydrationWarning>{t('footer.copyright', { year: String(year), name })}</p>
    </FooterFrame>
  );
}

/** What stands at the bottom of every page: whether its language was reviewed, and how it serves everybody. */
export function FooterFrame({ children }: { children: ReactNode }) {
  const { t, isReviewed } = useTexts();
  return (
    <footer className="footer">
      <div className="footer-inner">
        {!isReviewed && <p className="footer-unreviewed">{t('footer.unreviewed')}</p>}
        {children}
        <a className="footer-link" href="/voter/accessibility">
          {t('accessibility.title')}
        </a>
      </div>
    </footer>
  );
}
