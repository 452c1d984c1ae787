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
    <FooterFrame links={<ModalLinks />}>
      <p suppressHydrationWarning>{t('footer.copyright', { year: String(year), name })}</p>
    </FooterFrame>
  );
}

interface FooterFrameProps {
  /** Items of the list of links. */
  links?: ReactNode;
  children?: ReactNode;
}

/** The bottom of every page: whether its language was reviewed, accessibility, and what the product never sees. */
export function FooterFrame({ links, children }: FooterFrameProps) {
  const { t, isReviewed } = useTexts();
  return (
    <footer className="footer">
      <div className="footer-inner">
        {!isReviewed && <p className="footer-unreviewed">{t('footer.unreviewed')}</p>}
        <ul className="footer-links">
          {links}
          <li>
            <a href="/voter/verify">{t('verify.title')}</a>
          </li>
          <li>
            <a href="/voter/accessibility">{t('accessibility.title')}</a>
          </li>
        </ul>
        <div className="footer-words">
          <p>{t('app.promise')}</p>
          {children}
        </div>
      </div>
    </footer>
  );
}
