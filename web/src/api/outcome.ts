import type { Problem } from '@ballot-beacon/contract/problem';

/** The server answered, and refused. */
export interface Refusal {
  readonly kind: 'refused';
  readonly problem: Problem;
  /** Seconds to wait before the next try, when the server says. */
  readonly retryAfter: number | null;
}

/** No answer that fits the contract: no network, an incomplete answer, a proxy's error page. */
export interface Failure {
  readonly kind: 'failed';
  readonly reason: string;
}

export type Outcome<T> = { readonly kind: 'answered'; readonly answer: T } | Refusal | Failure;
