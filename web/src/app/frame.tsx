import type { ReactNode } from 'react';
import { AlertBanner } from '../shell/alert-banner.tsx';
import { Footer } from '../shell/footer.tsx';
import { useTexts } from '../shell/texts.ts';
import { TopBar } from '../shell/top-bar.tsx';
import { fieldId } from '../ui/field.tsx';
import type { Screen } from './routes.ts';

/** What surrounds every screen: skip links, top bar, alerts, footer. */
export function Frame({ screen, children }: { screen: Screen; children: ReactNode }) {
  const { t } = useTexts();
  return (
    <div className="frame" data-screen={screen}>
      <div className="skip-links">
        {screen === 'login' && <a href={`#${fieldId('firstname')}`}>{t('skip.toForm')}</a>}
        <a href="#main">{t('skip.toMain')}</a>
      </div>
      <TopBar />
      <main id="main" tabIndex={-1}>
        <AlertBanner />
        {children}
      </main>
      <Footer />
    </div>
  );
}
