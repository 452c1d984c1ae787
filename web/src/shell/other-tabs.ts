import type { CriticalData } from '@ballot-beacon/contract/bootstrap';
import { useEffect } from 'react';
import { call } from '../api/client.ts';
import type { Alert } from './alerts.ts';
import { useSignals } from './signals.ts';
import { discard, onOtherTab, recall, remember } from './tab-memory.ts';

/** Said where the page stops showing a voter's data without the voter having asked this tab to. */
const elsewhere: Alert = {
  type: 'notice',
  messages: [{ key: 'app.loggedOutElsewhere', important: true }],
};

/**
 * Keeps the tabs of a browser of one mind: logging out in one logs out in all, and no tab goes on showing a voter
 * after another has signed in. A page that the browser kept and restores (back button, sleeping tab) is checked
 * against what has happened since, before anybody can read it.
 */
export function useOtherTabs({ voter }: CriticalData): void {
  const signals = useSignals();
  const own = String(voter.voter_id);

  useEffect(() => {
    remember('voter', own);
    // A tab that wakes may find the time over first: it logs out by itself, and says so.
    let hasLeft = false;
    const compare = (voterNow: string | null) => {
      if (hasLeft || voterNow === own) return;
      signals.send({ type: 'LOGOUT', alerts: [elsewhere], isEnded: true });
    };
    const compareNow = () => compare(recall('voter'));
    const onShow = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      compareNow();
      // The server may know more: a session that is over answers 403, which logs out.
      void call('checkSession', {});
    };
    const onVisible = () => {
      if (document.visibilityState === 'visible') compareNow();
    };

    const stopListening = onOtherTab('voter', compare);
    const stopForgetting = signals.subscribe((signal) => {
      if (signal.type !== 'LOGOUT') return;
      hasLeft = true;
      // A code is of one session alone.
      discard('codeAsked');
      if (!signal.isEnded && recall('voter') === own) discard('voter');
    });
    window.addEventListener('pageshow', onShow);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      stopListening();
      stopForgetting();
      window.removeEventListener('pageshow', onShow);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [own, signals]);
}
