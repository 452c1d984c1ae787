import type { Screen } from '@ballot-beacon/contract/pages';
import { type ReactNode, Suspense } from 'react';
import { AlertBanner } from '../shell/alert-banner.tsx';
import { Footer } from '../shell/footer.tsx';
import { Modals } from '../shell/modals/modals.tsx';
import { OfficeAlert } from '../shell/office-alert.tsx';
import { useSession } from '../shell/session-context.ts';
import { SkipLinks } from '../shell/skip-links.tsx';
import { TopBar } from '../shell/top-bar.tsx';
import { membersNav, membersTools } from './pages.ts';
import { isStandalone } from './routes.ts';

/** What surrounds every screen of the main shell: skip links, top bar, alerts, footer. */
export function Frame({ screen, children }: { screen: Screen; children: ReactNode }) {
  const critical = useSession();
  if (isStandalone(screen)) return children;
  return (
    <div className="frame" data-screen={screen}>
      <SkipLinks form={formOf(screen)} />
      <TopBar
        tools={
          critical && (
            <Suspense>
              <membersTools.Page critical={critical} screen={screen} />
            </Suspense>
          )
        }
      />
      {critical && (
        <Suspense>
          <membersNav.Page screen={screen} />
        </Suspense>
      )}
      <main id="main" tabIndex={-1}>
        <OfficeAlert />
        <AlertBanner />
        {children}
      </main>
      <Footer />
      <Modals />
    </div>
  );
}

function formOf(screen: Screen) {
  if (screen === 'login') return 'signIn';
  return screen === 'dashboard' || screen === 'preferences' ? 'preferences' : null;
}
