import type { CallName, calls } from '@ballot-beacon/contract/calls';
import type { infer as Infer, ZodMiniType } from 'zod/mini';
import { abortAfter } from './abort-after.ts';
import type { LooseInput } from './make-call.ts';
import type { Outcome } from './outcome.ts';

export type { Failure, Outcome, Refusal } from './outcome.ts';

type Calls = typeof calls;
type Answer<Name extends CallName> = Calls[Name] extends { answer: infer A extends ZodMiniType }
  ? Infer<A>
  : undefined;
type Input<Name extends CallName> = (Calls[Name] extends { body: infer B extends ZodMiniType }
  ? { body: Infer<B> }
  : unknown) &
  (Calls[Name] extends { query: infer Q extends ZodMiniType } ? { query?: Infer<Q> } : unknown) &
  (Calls[Name] extends { params: infer P extends ZodMiniType } ? { params: Infer<P> } : unknown);

/** A call that has not answered after this many milliseconds has failed: no wait lasts for ever. */
const patience = 30_000;

const listeners = new Set<(name: CallName) => void>();

/**
 * Calls back with each call that only a signed-in voter may make and that was refused because the session is over. Calls made
 * before are of a session before: their refusals end no other.
 */
export function onSessionEnded(listener: (name: CallName) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Makes a call of the contract. Never throws: a refusal and a failure are outcomes like an answer.
 * The answer is checked against the contract's schema. How calls are made comes with the schemas, some 12 kB that no
 * page needs before its first call.
 */
export async function call<Name extends CallName>(
  name: Name,
  input: Input<Name> & LooseInput,
  signal?: AbortSignal,
): Promise<Outcome<Answer<Name>>> {
  const asking = [...listeners];
  try {
    const { makeCall } = await import('./make-call.ts');
    const outcome = await makeCall(name, input, abortAfter(patience, signal), () => {
      for (const listener of asking) if (listeners.has(listener)) listener(name);
    });
    return outcome as Outcome<Answer<Name>>;
  } catch (error) {
    return { kind: 'failed', reason: String(error) };
  }
}
