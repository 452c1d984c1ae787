import type { AddressFault, Channel, ReceiptOutcome } from '@ballot-beacon/contract/messages';
import type { AccountId } from '../../../platform/ids.ts';

/** A message as a provider gets it. */
export interface OutboundMessage {
  readonly accountId: AccountId;
  readonly messageId: number;
  /** Our id at the provider: the same at every attempt, so that the provider can recognize a repeat. */
  readonly reference: string;
  readonly channel: Channel;
  /** A mail address with the office's name, a short code or E.164 number. */
  readonly from: string;
  readonly fromName: string;
  /** Where answers by mail go; null for texts and calls. */
  readonly replyTo: string | null;
  readonly to: string;
  readonly subject: string | null;
  readonly body: string;
  readonly html: string | null;
  /** BCP 47. */
  readonly languageTag: string;
  /** Links of the List-Unsubscribe header (RFC 2369, RFC 8058); null where the mail answers the voter's own act. */
  readonly unsubscribe: { readonly page: string; readonly oneClick: string } | null;
}

/** The result of handing over one message. `code` is the provider's or ours, never a sentence. */
export type Outcome =
  | { readonly kind: 'accepted'; readonly providerMessageId: string | null }
  /** The provider works and asks us to wait; not counted as an attempt. */
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null; readonly code: string }
  /**
   * Surely not accepted; another attempt, or another provider, may succeed. `isOfSender`: the office's own number is wrong, and not the
   * provider, which serves the other offices as before.
   */
  | { readonly kind: 'retryable'; readonly code: string; readonly isOfSender?: boolean }
  /** Will never be accepted; `address` says what we learn about the address from it. */
  | {
      readonly kind: 'permanent';
      readonly code: string;
      readonly address: AddressFault | null;
    }
  /** It may have been accepted: the answer was lost. */
  | { readonly kind: 'unknown'; readonly code: string };

/** What a provider reports of a message it accepted; may come before our own record that it accepted it. */
export interface Receipt {
  readonly messageId: number;
  readonly provider: string;
  readonly outcome: ReceiptOutcome;
  /** What it shows about the address, independent of the provider's code. */
  readonly address: AddressFault | null;
  /** The provider's own code, for people to look up; nothing is decided by it. */
  readonly code: string | null;
  /** The provider's id of the message, where the report names it. */
  readonly providerMessageId?: string | undefined;
}

export interface Provider {
  readonly name: string;
  readonly channel: Channel;
  /** The most messages in one call. */
  readonly batchSize: number;
  /** Whether it reports deliveries, so that slow receipts are a sign of trouble. */
  readonly reportsReceipts: boolean;
  /**
   * What a repeat does after an outcome was lost: `idempotent` providers know the reference; of those with
   * `query` we can ask; with `repeat` the same message may arrive twice (docs/operations.md, The window).
   */
  readonly afterLoss: 'idempotent' | 'query' | 'repeat';
  /** Hands messages over, at most `batchSize`; one outcome each, in order. Never throws for a provider's fault. */
  send(messages: readonly OutboundMessage[]): Promise<Outcome[]>;
  /**
   * Of a `query` provider: whether it has the message, handed over at or after `since`.
   *
   * @param others its ids of other messages to the same address
   */
  find?(
    message: OutboundMessage,
    since: Date,
    others: ReadonlySet<string>,
  ): Promise<'absent' | 'unknown' | { providerMessageId: string }>;
  close?(): Promise<void>;
}

/** Longest time one call to a provider may take; far below the lease of a claim, so no other worker takes it over. */
export const callTimeoutMs = 15_000;

/**
 * How providers are called over HTTP. A redirect is not followed: it would turn the message into a question whose good answer
 * looks like an accepted message, or bring a voter's number to another host.
 */
export function providerCall(): Pick<RequestInit, 'signal' | 'redirect'> {
  return { signal: AbortSignal.timeout(callTimeoutMs), redirect: 'manual' };
}

/** Our address or credentials are wrong, not the message, which is sent once they are corrected. */
export function isWrongSetting(status: number): boolean {
  return (status >= 300 && status < 400) || [401, 403, 404, 405].includes(status);
}

/** Distinguishes a fault before anything was sent from a fault after which the provider may have the message. */
export function outcomeOfNetworkError(error: unknown): Outcome {
  const code = networkCode(error);
  const before = [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
  ];
  return before.includes(code) ? { kind: 'retryable', code } : { kind: 'unknown', code };
}

function networkCode(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === 'string' && code !== '') return code;
    if (at instanceof AggregateError && at.errors.length > 0) return networkCode(at.errors[0]);
    if (at.name === 'TimeoutError' || at.name === 'AbortError') return 'TIMEOUT';
  }
  return 'NETWORK';
}

/** `Retry-After` in milliseconds: seconds or an HTTP date; null when absent or unreadable. */
export function readRetryAfter(header: string | null, now = Date.now()): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
