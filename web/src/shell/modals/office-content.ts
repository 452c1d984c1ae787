import type { ReleaseNoteAnswer } from '@ballot-beacon/contract/content';
import type { Language } from '@ballot-beacon/contract/languages';
import { isServer, keepPreviousData, QueryClient, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';

/** How long an office's texts are cached, in milliseconds (product spec §9). */
const faqLasts = 7_200_000;
const releaseNotesLast = 1_800_000;
const notesPerPage = 5;

/**
 * Outlives dialogs and screens, and contains nothing of a voter. Offline, a fetch fails at once instead of waiting
 * silently.
 */
const inBrowser = createClient();
function createClient() {
  return new QueryClient({ defaultOptions: { queries: { retry: 1, networkMode: 'always' } } });
}

/** A server makes pages of many offices, so there nothing is kept from one to the next. */
function useClient(): QueryClient {
  const [client] = useState(() => (typeof window === 'undefined' ? createClient() : inBrowser));
  return client;
}

/** Questions and answers that a page brought along in its first language. */
export interface FaqInPage {
  readonly language: Language;
  readonly html: string;
}

/** The office's questions and answers as HTML, sanitized by the server. */
export function useFaq(language: Language, brought?: FaqInPage) {
  return useQuery(
    {
      queryKey: ['faq', language],
      queryFn: async () => {
        const outcome = await call('getFaq', { query: { language } });
        if (outcome.kind !== 'answered') throw new Error('No FAQ to be had');
        return outcome.answer.content;
      },
      staleTime: faqLasts,
      // A timer of two hours would keep a server that rendered the page from ending.
      gcTime: isServer ? Number.POSITIVE_INFINITY : faqLasts,
      ...(brought?.language === language && { initialData: brought.html }),
    },
    useClient(),
  );
}

/** @param page from 1. */
export function useReleaseNotes(page: number) {
  return useQuery(
    {
      queryKey: ['release-notes', page],
      queryFn: async (): Promise<ReleaseNoteAnswer> => {
        const outcome = await call('getReleaseNotes', { query: { page, page_size: notesPerPage } });
        if (outcome.kind !== 'answered') throw new Error('No release notes to be had');
        return outcome.answer;
      },
      staleTime: releaseNotesLast,
      gcTime: isServer ? Number.POSITIVE_INFINITY : releaseNotesLast,
      placeholderData: keepPreviousData,
    },
    useClient(),
  );
}
