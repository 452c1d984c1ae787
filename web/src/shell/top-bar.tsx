import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import { Mark } from '../ui/mark.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { usePage } from './page-context.ts';
import { useSession } from './session-context.ts';
import { useSignals } from './signals.ts';
import { useTexts } from './texts.ts';

/** @param members what a signed-in voter has beside the languages. */
export function TopBar({ members }: { members: ReactNode }) {
  const { t } = useTexts();
  const { branding } = usePage();
  const session = useSession();
  const signals = useSignals();
  const isBranded = branding.account_id !== -1;

  return (
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
          {session && (
            <>
              {members}
              <Button
                look="quiet"
                className="top-bar-button"
                onClick={() => signals.send({ type: 'LOGOUT' })}
              >
                <Icon name="logOut" className="icon-mirrored" />
                <span>{t('topBar.logOut')}</span>
              </Button>
            </>
          )}
        </div>
      </div>
    </header>
  );
}
