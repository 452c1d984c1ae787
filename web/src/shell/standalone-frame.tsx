import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Mark } from '../ui/mark.tsx';
import { FooterFrame } from './footer.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { usePage } from './page-context.ts';
import { SkipLinks } from './skip-links.tsx';
import { useTexts } from './texts.ts';

/** What surrounds a page that stands outside the main shell: a logo that leads home, and the languages. */
export function StandaloneFrame({ children }: { children: ReactNode }) {
  const { t } = useTexts();
  const { branding } = usePage();
  const isBranded = branding.account_id !== -1;
  return (
    <div className="frame">
      <SkipLinks form={null} />
      <header className="top-bar">
        <div className="top-bar-inner">
          <Link href="/" className="top-bar-home">
            {branding.logo_url ? (
              <img className="top-bar-logo" src={branding.logo_url} alt="" width="40" height="40" />
            ) : (
              <Mark className="top-bar-logo" />
            )}
            <span className="top-bar-name">
              <strong>{isBranded ? branding.name : t('app.name')}</strong>
              {isBranded && <span className="top-bar-product">{t('app.name')}</span>}
            </span>
          </Link>
          <div className="top-bar-tools">
            <LanguageMenu />
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <FooterFrame>
        <p>{t('app.promise')}</p>
      </FooterFrame>
    </div>
  );
}
