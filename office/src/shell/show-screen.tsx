import {
  type OfficeCall,
  type OfficeCallName,
  officeCalls,
} from '@ballot-beacon/contract/office/calls';
import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { QueryClient, QueryClientProvider, skipToken } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Router } from 'wouter';
import type { Answer } from '../api/client.ts';
import { SessionProvider } from './session.tsx';

/**
 * For tests: a screen as a person sees it once its calls are answered. The calls are made by the real client, to a server
 * that knows these answers alone. Nothing is pressed or typed: that is for journeys.
 */

/** By call; a number refuses it with that status. */
export type Answers = { readonly [Name in OfficeCallName]?: Answer<Name> | number };

interface Shown {
  readonly html: string;
  /** What a person reads, with a space where an element ends. */
  readonly words: string;
  /** The words of each cell of each row. */
  readonly rows: readonly (readonly string[])[];
  /** Where links lead, by their words or their label. */
  readonly links: Readonly<Record<string, string>>;
  /** What was asked of the server: `GET /api/office/today`. */
  readonly asked: readonly string[];
}

/** In no time zone in which the tests run. */
export const session: OfficeSession = {
  ...{ office: 'Adams Elections', time_zone: 'Pacific/Honolulu', person_id: 1, name: 'Ina Wolf' },
  ...{ roles: ['clerk'], permissions: ['counts', 'voters'], method: 'passkey' },
  ...{ proof_ends_at: '2026-11-03T20:05:00Z', ends_at: '2026-11-04T04:00:00Z', idle_seconds: 900 },
};

/**
 * @param of where it is shown, to whom, and what was typed there before, by its key; `before`: with which address the
 *   person looked at it a moment ago; `isWhole`: what is shown is the whole console, which asks who is there itself
 */
export async function showScreen(
  screen: ReactNode,
  answers: Answers = {},
  of: {
    readonly at?: string;
    readonly before?: string;
    readonly permissions?: OfficeSession['permissions'];
    readonly typed?: readonly (readonly [key: readonly unknown[], typed: unknown])[];
    readonly isWhole?: boolean;
  } = {},
): Promise<Shown> {
  const { at = '/', before, permissions = session.permissions, typed = [], isWhole = false } = of;
  const queries = new QueryClient({
    // What was refused is shown.
    defaultOptions: { queries: { retry: false, retryOnMount: false } },
  });
  for (const [key, value] of typed) queries.setQueryData(['typed', ...key], value);
  const server = serve(answers);
  const renderAt = (address: string) => {
    const [path, search = ''] = `/office${address}`.split('?');
    return renderToStaticMarkup(
      <QueryClientProvider client={queries}>
        <Router base={isWhole ? '' : '/office'} ssrPath={path ?? ''} ssrSearch={search}>
          {isWhole ? (
            screen
          ) : (
            <SessionProvider
              session={{ ...session, permissions }}
              provider={null}
              onSession={() => {}}
            >
              {screen}
            </SessionProvider>
          )}
        </Router>
      </QueryClientProvider>,
    );
  };
  const load = async (address: string): Promise<string> => {
    // What is loaded may show more that has to be loaded.
    for (let html = renderAt(address); ; html = renderAt(address)) {
      const waiting = queries
        .getQueryCache()
        .getAll()
        .filter(({ state, options }) => {
          const { enabled } = options as { readonly enabled?: boolean };
          return state.status === 'pending' && enabled !== false && options.queryFn !== skipToken;
        });
      if (waiting.length === 0) return html;
      await Promise.allSettled(waiting.map((query) => query.fetch()));
    }
  };
  try {
    if (before !== undefined) await load(before);
    server.asked.length = 0;
    const html = await load(at);
    const [lacking] = /\{\{\w+\}\}/.exec(html) ?? [];
    if (lacking) throw new Error(`A text of the screen lacks its ${lacking}.`);
    return read(html, server.asked);
  } finally {
    server.close();
  }
}

/** Stands in for the network. */
export function serve(answers: Answers) {
  const { fetch } = globalThis;
  const asked: string[] = [];
  globalThis.fetch = async (input, request) => {
    const address = String(input);
    const method = request?.method ?? 'GET';
    asked.push(`${method} ${address}`);
    const name = nameOf(method, address);
    const answer = name && answers[name];
    if (name === undefined || answer === undefined)
      throw new Error(`The test says no answer to ${method} ${address}.`);
    if (typeof answer === 'number') return Response.json({}, { status: answer });
    return Response.json(answer, { status: (officeCalls[name] as OfficeCall).success });
  };
  const close = () => {
    globalThis.fetch = fetch;
  };
  return { asked, close };
}

function nameOf(method: string, address: string): OfficeCallName | undefined {
  const [path = ''] = address.split('?');
  return (Object.keys(officeCalls) as OfficeCallName[]).find((name) => {
    const call: OfficeCall = officeCalls[name];
    return (
      call.method === method && new RegExp(`^${call.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path)
    );
  });
}

function read(html: string, asked: readonly string[]): Shown {
  const partsOf = (whole: string, pattern: RegExp) => [...whole.matchAll(pattern)];
  return {
    ...{ html, asked, words: wordsOf(html) },
    rows: partsOf(html, /<tr[^>]*>(.*?)<\/tr>/gs).map(([row]) =>
      partsOf(row, /<(t[hd])[^>]*>(.*?)<\/\1>/gs).map(([, , cell = '']) => wordsOf(cell)),
    ),
    links: Object.fromEntries(
      partsOf(html, /<a ([^>]*)>(.*?)<\/a>/gs).map(([, traits = '', words = '']) => {
        const traitOf = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(traits)?.[1];
        return [traitOf('aria-label') ?? wordsOf(words), decode(traitOf('href') ?? '')];
      }),
    ),
  };
}

function wordsOf(html: string): string {
  return decode(html.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function decode(text: string): string {
  const letters: Record<string, string> = { '&#x27;': "'", '&quot;': '"', '&lt;': '<' };
  return text
    .replaceAll(/&#x27;|&quot;|&lt;/g, (one) => letters[one] ?? one)
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
