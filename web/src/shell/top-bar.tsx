import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Mark } from '../ui/mark.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { LanguageOffer } from './language-offer.tsx';
import { usePage } from './page-context.ts';
import { useTexts } from './texts.ts';
import { TrustMark } from './trust-mark.tsx';

/** The head of every page: whose it is, which leads home, and the languages. @param tools what stands beside them. */
export function TopBar({ tools }: { tools?: ReactNode }) {
  const { t } = useTexts();
  const { branding } = usePage();
  const isBranded = branding.account_id !== -1;

  return (
    <header className="top-bar">
      <TrustMark />
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
          {tools}
        </div>
      </div>
      <LanguageOffer />
    </header>
  );
}
