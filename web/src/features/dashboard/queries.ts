import type { PastBallot } from '@ballot-beacon/contract/ballot-status-progress';
import type { Language } from '@ballot-beacon/contract/languages';
import { keepPreviousData, QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../../api/client.ts';
import { loadProgress, type ProgressData, type SessionData } from '../../api/critical-data.ts';
import { describeFailure } from '../../api/failure.ts';
import { useSignals } from '../../shell/signals.ts';
import { useLive } from './use-live.ts';

/** How often a page without a stream of news fetches its ballots, in milliseconds. */
const lookEvery = 60_000;

/**
 * One cache per signed-in voter: it goes with the dashboard, so that no one meets another voter's ballots. The calls that
 * are still out are aborted with it: a late refusal would end the session of the next voter.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: 1,
        refetchOnWindowFocus: true,
        staleTime: 60_000,
        // Without a connection a call fails at once, and the page says how old its news is, instead of waiting.
        networkMode: 'always',
        refetchOnReconnect: true,
      },
    },
  });
}

/**
 * The ballots in the page's language. They come with the page. Another language or a later visit fetches them again, and
 * the rest of the page is updated.
 */
export function useProgress(language: Language, { voter, ...known }: SessionData) {
  const signals = useSignals();
  const { progress, no_ballot_status, asked } = known;
  const query = useQuery({
    queryKey: ['progress', language],
    queryFn: async ({ signal }): Promise<ProgressData> => {
      const data = await loadProgress(language, signal);
      if (!data) throw new Error('No ballot status to be had');
      return data;
    },
    ...(asked.language === language && {
      initialData: { progress, no_ballot_status, asked } satisfies ProgressData,
      initialDataUpdatedAt: asked.clock,
    }),
    placeholderData: keepPreviousData,
    // A language that is chosen again shows no older ballots than the language in between.
    gcTime: 0,
  });
  const { data, refetch } = query;
  const isLive = useLive(newest(known, data).progress.as_of, () => void refetch());
  useEffect(() => {
    if (isLive) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void refetch({ cancelRefetch: false });
    }, lookEvery);
    return () => clearInterval(timer);
  }, [isLive, refetch]);
  // A browser can be wrong about its connection: whether the page says that it is offline, the next call decides, at once.
  useEffect(() => {
    const look = () => void refetch();
    // Lost before this script was there to hear of it.
    if (navigator.onLine === false) look();
    window.addEventListener('offline', look);
    return () => window.removeEventListener('offline', look);
  }, [refetch]);
  // Fetched at each change of the language, and when the ballots on the page are in another language.
  const askedFor = useRef(asked.language);
  const isOther = asked.language !== language;
  useEffect(() => {
    if (askedFor.current === language && !isOther) return;
    askedFor.current = language;
    void refetch({ cancelRefetch: false });
  }, [language, isOther, refetch]);
  useEffect(() => {
    if (data && data.asked.at > asked.at)
      signals.send({ type: 'PROGRESS_READY', voterId: voter.voter_id, data });
  }, [data, asked.at, signals, voter.voter_id]);
  return { isError: query.isError, data: newest(known, data) };
}

function newest(known: ProgressData, fetched: ProgressData | undefined): ProgressData {
  return fetched && fetched.asked.at > known.asked.at ? fetched : known;
}

/** All ballots of past elections. A failure shows nothing (product spec §8, Data fetch failures). */
export function usePastBallots(language: Language) {
  return useQuery({
    queryKey: ['past-ballots', language],
    queryFn: async ({ signal }): Promise<readonly PastBallot[]> => {
      const query = { page_size: -1, language };
      const outcome = await call('getArchiveBallots', { query }, signal);
      if (outcome.kind !== 'answered') throw new Error(describeFailure(outcome));
      return outcome.answer._embedded.ballot;
    },
    placeholderData: keepPreviousData,
  });
}
