import type { CheckedMessage } from '@ballot-beacon/contract/message-check';
import { plainCode } from '@ballot-beacon/contract/typed-text';
import { call, type Failure, type Refusal } from '../../api/client.ts';

/** The message of a code; null when none of the office's has it. */
export interface Checked {
  readonly message: CheckedMessage | null;
}

export type CheckOutcome =
  | { readonly kind: 'checked'; readonly checked: Checked }
  /** Too many codes from this network were not found. */
  | { readonly kind: 'too-many'; readonly seconds: number | null }
  | Failure
  | Refusal;

/** Whether something has the length of a code, whatever its case, spaces and dashes. */
export function looksLikeCode(typed: string): boolean {
  return /^[a-z\d]{8}$/i.test(plainCode(typed));
}

export async function checkCode(code: string): Promise<CheckOutcome> {
  const outcome = await call('checkMessage', { body: { code } });
  if (outcome.kind === 'answered') return { kind: 'checked', checked: { message: outcome.answer } };
  if (outcome.kind !== 'refused') return outcome;
  const { status } = outcome.problem;
  if (status === 404) return { kind: 'checked', checked: { message: null } };
  return status === 429 ? { kind: 'too-many', seconds: outcome.retryAfter } : outcome;
}
