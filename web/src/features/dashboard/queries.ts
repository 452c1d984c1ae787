import type { PastBallot } from '@ballot-beacon/contract/ballot-status-progress';
import type { CriticalData } from '@ballot-beacon/contract/bootstrap';
import type { Language } from '@ballot-beacon/contract/languages';
import { keepPreviousData, QueryClient, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, describeFailure } from '../../api/client.ts';
import { loadProgress, type ProgressData } from '../../api/critical-data.ts';

/** One cache per signed-in voter: it goes with the dashboard, so that no one meets another voter's ballots. */
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

/** The ballots in the page's language. The page brings them; another language, or a later look, fetches them anew. */
export function useProgress(language: Language, critical: CriticalData) {
  const [first] = useState(() => ({ language, critical, at: Date.now() }));
  return useQuery({
    queryKey: ['progress', language],
    queryFn: async (): Promise<ProgressData> => {
      const data = await loadProgress(language);
      if (!data) throw new Error('No ballot status to be had');
      return data;
    },
    ...(language === first.language && {
      initialData: {
        progress: first.critical.progress,
        no_ballot_status: first.critical.no_ballot_status,
      } satisfies ProgressData,
      initialDataUpdatedAt: first.at,
    }),
    placeholderData: keepPreviousData,
  });
}

/** All ballots of past elections. A failure shows nothing (product spec §8, Data fetch failures). */
export function usePastBallots(language: Language) {
  return useQuery({
    queryKey: ['past-ballots', language],
    queryFn: async (): Promise<readonly PastBallot[]> => {
      const outcome = await call('getArchiveBallots', { query: { page_size: -1, language } });
      if (outcome.kind !== 'answered') throw new Error(describeFailure(outcome));
      return outcome.answer._embedded.ballot;
    },
    placeholderData: keepPreviousData,
  });
}
