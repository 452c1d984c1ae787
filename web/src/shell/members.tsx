import type { CriticalData } from '@ballot-beacon/contract/bootstrap';
import { IdleWatch } from './idle.tsx';
import { useOtherTabs } from './other-tabs.ts';
import { VoterProfile } from './voter-profile.tsx';

/** What the shell has for signed-in voters only: fetched with their first screen, so that the login does without. */
export default function MembersTools({ critical }: { critical: CriticalData }) {
  useOtherTabs(critical);
  return (
    <>
      <VoterProfile voter={critical.voter} />
      <IdleWatch />
    </>
  );
}
