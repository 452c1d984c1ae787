import { type CallName, calls } from '@ballot-beacon/contract/calls';
import { Problem, problemContentType } from '@ballot-beacon/contract/problem';
import type { ZodMiniType } from 'zod/mini';
import { logFailure } from './failure.ts';
import type { Outcome } from './outcome.ts';

export interface LooseInput {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly params?: Readonly<Record<string, string>>;
}

/** Makes a call for {@link import('./client.ts').call}, which knows its types. Never rejects. */
export async function makeCall(
  name: CallName,
  input: LooseInput,
  signal: AbortSignal,
  onSessionEnded: () => void,
): Promise<Outcome<unknown>> {
  let outcome: Outcome<unknown>;
  try {
    const { method, path } = calls[name];
    const response = await fetch(addressOf(path, input), {
      ...requestOf(method, input),
      credentials: 'same-origin',
      signal,
    });
    outcome = await readOutcome(name, response, onSessionEnded);
  } catch (error) {
    outcome = { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
  // A call that its screen no longer waits for did not fail.
  if (signal.reason?.name !== 'AbortError') logFailure(name, outcome);
  return outcome;
}

function addressOf(pattern: string, { params = {}, query = {} }: LooseInput): string {
  const path = pattern.replaceAll(/:(\w+)/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ''),
  );
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (value !== undefined) search.set(key, String(value));
  return search.size > 0 ? `${path}?${search}` : path;
}

function requestOf(method: string, { body }: LooseInput): RequestInit {
  const headers: Record<string, string> = { accept: 'application/json' };
  // A log-out reaches the server although the tab is closed at once.
  if (body === undefined) return { method, headers, keepalive: method === 'DELETE' };
  headers['content-type'] = 'application/json';
  return { method, headers, body: JSON.stringify(body) };
}

async function readOutcome(
  name: CallName,
  response: Response,
  onSessionEnded: () => void,
): Promise<Outcome<unknown>> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith(problemContentType) || (!response.ok && type.includes('json'))) {
    const problem = Problem.safeParse(await response.json());
    if (!problem.success)
      return { kind: 'failed', reason: `unreadable problem: ${response.status}` };
    if (response.status === 403 && calls[name].access === 'voter') onSessionEnded();
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      kind: 'refused',
      problem: problem.data,
      retryAfter: Number.isFinite(seconds) ? seconds : null,
    };
  }
  if (!response.ok)
    return { kind: 'failed', reason: `status ${response.status} without a problem` };

  const { answer } = calls[name] as { answer?: ZodMiniType };
  if (response.status === 204 || !answer) return { kind: 'answered', answer: undefined };
  if (!type.includes('json')) return { kind: 'failed', reason: `content type ${type}` };
  const parsed = answer.safeParse(await response.json());
  return parsed.success
    ? { kind: 'answered', answer: parsed.data }
    : { kind: 'failed', reason: `${name} answered outside the contract: ${parsed.error.message}` };
}
