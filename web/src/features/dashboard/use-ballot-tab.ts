import { useEffect, useRef, useState } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import { useTexts } from '../../shell/texts.ts';

export type BallotTab = 'current' | 'previous';

/** What an entry of the browser's history says of the dashboard: the title of the tab to show. */
interface TabState {
  readonly tab?: unknown;
  /** Whose title that was: the page may be in another language by now. */
  readonly which?: unknown;
}

/**
 * Which ballots to show, kept in the browser's history: a push whose state names a tab's title chooses that tab
 * (product spec §2, Dashboard), and the back button goes to the one before.
 *
 * @param reveal brings a tab's ballots into sight, for a choice made elsewhere on the page.
 * @param isReady whether all that can be shown is there.
 */
export function useBallotTab(
  reveal: (tab: BallotTab) => void,
  isReady: boolean,
): [BallotTab, (tab: BallotTab) => void] {
  const { t } = useTexts();
  const state = useHistoryState<TabState | null>();
  const [shown, setShown] = useState<BallotTab>('current');
  const titles = { current: t('dashboard.current'), previous: t('dashboard.previous') };
  const now = useRef({ titles, reveal });
  now.current = { titles, reveal };
  const pushedHere = useRef<unknown>(null);
  const toReveal = useRef<BallotTab | null>(null);

  useEffect(() => {
    if (state?.tab === undefined) return setShown('current');
    const named = (['current', 'previous'] as const).find(
      (tab) => tab === state.which || now.current.titles[tab] === state.tab,
    );
    if (!named) return;
    setShown(named);
    if (pushedHere.current !== state.tab) toReveal.current = named;
    pushedHere.current = null;
  }, [state]);

  useEffect(() => {
    if (!isReady || !toReveal.current) return;
    now.current.reveal(toReveal.current);
    toReveal.current = null;
  });

  const choose = (tab: BallotTab) => {
    if (tab === shown) return;
    pushedHere.current = titles[tab];
    history.pushState({ tab: titles[tab], which: tab } satisfies TabState, '');
  };
  return [shown, choose];
}
