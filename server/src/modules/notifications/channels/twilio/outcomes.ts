import type { AddressFault, ReceiptOutcome } from '@ballot-beacon/contract/messages';
import { isWrongSetting, type Outcome, readRetryAfter } from '../provider.ts';

/**
 * Error codes that say something about the number (twilio.com/docs/api/errors). 21612 does not: it says that this sender cannot reach it, as
 * where a carrier does not bring texts from a short code.
 */
const badNumbers: ReadonlySet<string> = new Set(
  '21211 21214 21217 21421 21614 13223 13224 13227'.split(' '),
);
/**
 * Error codes that say something about the office's own number, such as that its queue is full, the messaging service that has it, or the
 * account: one on trial reaches no other numbers than those it has verified.
 */
const wrongSenders: ReadonlySet<string> = new Set(
  '21210 21212 21213 21219 21401 21601 21603 21606 21608 21611 21659 21660 21661 21701 21703 21704'.split(
    ' ',
  ),
);
const stoppedNumber = '21610';

function faultOf(code: string): AddressFault | null {
  if (code === stoppedNumber) return 'stopped';
  return badNumbers.has(code) ? 'invalid' : null;
}

/** What became of a request that Twilio refused. */
export function outcomeOfTwilioError(response: Response, twilioCode: number | undefined): Outcome {
  const code = String(twilioCode ?? response.status);
  if (response.status === 429)
    return {
      kind: 'throttled',
      retryAfterMs: readRetryAfter(response.headers.get('retry-after')),
      code,
    };
  // A gateway that stopped waiting cannot say whether Twilio has the request.
  if (response.status === 502 || response.status === 504) return { kind: 'unknown', code };
  if (response.status >= 500) return { kind: 'retryable', code };
  if (isWrongSetting(response.status)) return { kind: 'retryable', code };
  if (wrongSenders.has(code)) return { kind: 'retryable', code, isOfSender: true };
  return { kind: 'permanent', code, address: faultOf(code) };
}

/** The queue of the office's numbers is full, or the account is suspended: no carrier was asked. */
const neverLeft: ReadonlySet<string> = new Set(['30001', '30002']);

/** Unreachable, unknown or filtered for now; what else is undelivered (landline, blocked) will not change. */
const passing: ReadonlySet<string> = new Set([...neverLeft, '30003', '30008', '30017', '30022']);

/**
 * What a status callback reports (twilio.com/docs/messaging/api/message-resource, …/voice); null for a status that
 * another will follow.
 */
export function readStatus(
  status: string,
  code: string,
): { readonly outcome: ReceiptOutcome; readonly address: AddressFault | null } | null {
  const address = faultOf(code);
  switch (status) {
    case 'delivered':
    case 'read':
    case 'completed':
      return { outcome: 'delivered', address: null };
    case 'undelivered':
      return { outcome: passing.has(code) ? 'failed-temporary' : 'failed-permanent', address };
    case 'failed':
      return { outcome: neverLeft.has(code) ? 'failed-temporary' : 'failed-permanent', address };
    case 'busy':
    case 'no-answer':
    case 'canceled':
      return { outcome: 'failed-temporary', address };
    default:
      return null;
  }
}
