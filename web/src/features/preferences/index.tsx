import { useLocation } from 'wouter';
import type { SessionData } from '../../api/critical-data.ts';
import { SupportNotice } from '../../shell/support-notice.tsx';
import { FirstVisit } from './first-visit.tsx';
import { PreferencesForm } from './preferences-form.tsx';

export { PreferencesForm };

/** The page of the form alone: after a save the voter sees the ballots. */
export function PreferencesPage({ critical }: { critical: SessionData }) {
  const [, navigate] = useLocation();
  return (
    <div className="preferences-page">
      {!critical.voter.is_confirmed && <FirstVisit progress={critical.progress} />}
      <PreferencesForm critical={critical} heading="h1" onSaved={() => navigate('/dashboard')} />
      <aside>
        <SupportNotice />
      </aside>
    </div>
  );
}
