import { ModalLinks } from './modals/modal-links.tsx';
import { usePage } from './page-context.ts';
import { useTexts } from './texts.ts';

export function Footer() {
  const { t } = useTexts();
  const { branding } = usePage();
  const year = new Date().getFullYear();
  const name = branding.account_id === -1 ? t('app.name') : branding.name;
  return (
    <footer className="footer">
      <div className="footer-inner">
        <ModalLinks />
        <p className="footer-promise">{t('app.promise')}</p>
        <p suppressHydrationWarning>{t('footer.copyright', { year: String(year), name })}</p>
      </div>
    </footer>
  );
}
