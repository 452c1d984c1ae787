import type { CallName, calls } from '@ballot-beacon/contract/calls';
import type { infer as Infer, ZodMiniType } from 'zod/mini';
import type { Outcome } from './outcome.ts';
import type * as SchemasModule from './schemas.ts';

export type { Failure, Outcome, Refusal } from './outcome.ts';

type Calls = typeof calls;
type Schemas = typeof SchemasModule;

/**
 * Fetches the contract's schemas, some 12 kB that no page needs before its first call. Call it when a call is
 * likely soon; {@link call} waits for it anyway.
 */
const loadSchemas = (): Promise<Schemas> => import('./schemas.ts');

type Answer<Name extends CallName> = Calls[Name] extends { answer: infer A extends ZodMiniType }
  ? Infer<A>
  : undefined;
type Input<Name extends CallName> = (Calls[Name] extends { body: infer B extends ZodMiniType }
  ? { body: Infer<B> }
  : unknown) &
  (Calls[Name] extends { query: infer Q extends ZodMiniType } ? { query?: Infer<Q> } : unknown) &
  (Calls[Name] extends { params: infer P extends ZodMiniType } ? { params: Infer<P> } : unknown);

const listeners = new Set<(name: CallName) => void>();

/** Calls back with each call that only a signed-in voter may make and that was refused because the session is over. */
export function onSessionEnded(listener: (name: CallName) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A call that has not answered after this many milliseconds has failed: no wait lasts for ever. */
const patience = 30_000;

/**
 * Makes a call of the contract. Never throws: a refusal and a failure are outcomes like an answer.
 * The answer is checked against the contract's schema.
 */
export async function call<Name extends CallName>(
  name: Name,
  input: Input<Name> & LooseInput,
  signal?: AbortSignal,
): Promise<Outcome<Answer<Name>>> {
  let schemas: Schemas | undefined;
  let outcome: Outcome<Answer<Name>>;
  try {
    schemas = await loadSchemas();
    const { method, path } = schemas.calls[name];
    const response = await fetch(addressOf(path, input), {
      ...requestOf(method, input),
      credentials: 'same-origin',
      signal: signal
        ? AbortSignal.any([signal, AbortSignal.timeout(patience)])
        : AbortSignal.timeout(patience),
    });
    outcome = await readOutcome(schemas, name, response);
  } catch (error) {
    outcome = { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
  schemas?.logFailure(name, outcome);
  return outcome;
}

interface LooseInput {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly params?: Readonly<Record<string, string>>;
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

async function readOutcome<Name extends CallName>(
  { calls, Problem, problemContentType }: Schemas,
  name: Name,
  response: Response,
): Promise<Outcome<Answer<Name>>> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith(problemContentType) || (!response.ok && type.includes('json'))) {
    const problem = Problem.safeParse(await response.json());
    if (!problem.success)
      return { kind: 'failed', reason: `unreadable problem: ${response.status}` };
    if (response.status === 403 && calls[name].access === 'voter')
      for (const listener of listeners) listener(name);
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
  if (response.status === 204 || !answer)
    return { kind: 'answered', answer: undefined as Answer<Name> };
  if (!type.includes('json')) return { kind: 'failed', reason: `content type ${type}` };
  const parsed = answer.safeParse(await response.json());
  return parsed.success
    ? { kind: 'answered', answer: parsed.data as Answer<Name> }
    : { kind: 'failed', reason: `${name} answered outside the contract: ${parsed.error.message}` };
}
