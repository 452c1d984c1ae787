import { useEffect, useRef } from 'react';
import { call } from '../api/client.ts';
import { loadProgress, type SessionData } from '../api/critical-data.ts';
import { IdleWatch } from './idle.tsx';
import { canKeepStatus, discardStatus, discardStatusOfOthers } from './kept-status.ts';
import { LogOutButton } from './log-out-button.tsx';
import { MembersNav } from './members-nav.tsx';
import { useOtherTabs } from './other-tabs.ts';
import { useSignals } from './signals.ts';
import { useTexts } from './texts.ts';
import { VoterProfile } from './voter-profile.tsx';

interface MembersProps {
  critical: SessionData;
  /** The screen's name in the routes. */
  screen: string;
}

/** What the top bar has for signed-in voters only: fetched with their first screen, so that the login does without. */
export function MembersTools({ critical, screen }: MembersProps) {
  usePastBallotCount(screen);
  return (
    <>
      <VoterProfile voter={critical.voter} />
      <LogOutButton look="quiet" className="top-bar-button" />
    </>
  );
}

export { MembersNav };

/** What runs behind every page of a signed-in voter, including the pages to read. */
export function MembersWatch({ critical, screen }: MembersProps) {
  useOtherTabs(critical);
  useKeptStatus(critical);
  useBallotsInLanguage(critical, screen);
  return <IdleWatch />;
}

/** What this device keeps goes with the session, however it ends, and no other voter's is left. */
function useKeptStatus({ voter }: SessionData): void {
  const signals = useSignals();
  const voterId = voter.voter_id;
  useEffect(() => {
    if (!canKeepStatus()) return;
    // Where the browser keeps nothing there is nothing to discard.
    discardStatusOfOthers(voterId).catch(() => {});
    return signals.subscribe((signal) => {
      if (signal.type === 'LOGOUT') discardStatus().catch(() => {});
    });
  }, [signals, voterId]);
}

/** Fetches the ballots when the page speaks another language than they do. The dashboard does that itself. */
function useBallotsInLanguage({ asked, voter }: SessionData, screen: string): void {
  const { language } = useTexts();
  const signals = useSignals();
  const isDue = asked.language !== language && screen !== 'dashboard';
  const voterId = voter.voter_id;
  useEffect(() => {
    if (!isDue) return;
    // The dashboard tries again to fetch what failed here.
    loadProgress(language).then((data) => {
      if (data) signals.send({ type: 'PROGRESS_READY', voterId, data });
    });
  }, [isDue, language, signals, voterId]);
}

/** Finds out whether the profile offers previous ballots. The dashboard lists them, and so knows by itself. */
function usePastBallotCount(screen: string): void {
  const signals = useSignals();
  const isKnown = useRef(false);
  useEffect(
    () =>
      signals.subscribe((signal) => {
        if (signal.type === 'PAST_BALLOTS') isKnown.current = true;
      }),
    [signals],
  );
  useEffect(() => {
    if (isKnown.current || screen === 'dashboard') return;
    const gone = new AbortController();
    call('getArchiveBallots', { query: { page_size: 1 } }, gone.signal).then((outcome) => {
      if (outcome.kind !== 'answered' || isKnown.current) return;
      signals.send({ type: 'PAST_BALLOTS', count: outcome.answer.total_items });
    });
    return () => gone.abort();
  }, [screen, signals]);
}
