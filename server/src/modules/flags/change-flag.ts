import { isDeepStrictEqual } from 'node:util';
import type { FlagKey } from '@ballot-beacon/contract/flags';
import type { FlagState } from '@ballot-beacon/contract/office/flags';
import type { Tx } from '../../platform/postgres.ts';
import { type AccountId, lockAccount } from '../accounts/index.ts';
import { type Actor, type RecordedAuditEntry, recordAudit } from '../audit/index.ts';
import { defineConstant, type FlagDefinition } from './rules.ts';
import { readFlagDefinition, saveFlagDefinition } from './store.ts';

/** What a definition comes to; null is the default. */
export function stateOf(definition: FlagDefinition | null): FlagState {
  if (definition === null) return 'default';
  if (isDeepStrictEqual(definition, defineConstant(true))) return 'on';
  return isDeepStrictEqual(definition, defineConstant(false)) ? 'off' : 'rule';
}

/** The definition that {@link stateOf} knows again. */
export function defineState(state: Exclude<FlagState, 'rule'>): FlagDefinition | null {
  return state === 'default' ? null : defineConstant(state === 'on');
}

/** Sets an office's definition of a flag, or resets it, and records from what to what, unless it is so already. */
export async function changeFlag(
  tx: Tx,
  { accountId, actor }: { readonly accountId: AccountId; readonly actor: Actor },
  key: FlagKey,
  definition: FlagDefinition | null,
): Promise<void> {
  await lockAccount(tx, accountId);
  const before = await readFlagDefinition(tx, accountId, key);
  // Nothing would change, and undoing that would leave what somebody else has just set.
  if (isDeepStrictEqual(before, definition)) return;
  const [from, to] = [stateOf(before), stateOf(definition)];
  await saveFlagDefinition(tx, accountId, key, definition);
  await recordAudit(tx, accountId, {
    actor,
    action: 'flag.set',
    target: key,
    details: {
      setting: { from, to },
      ...(from === 'rule' && { before }),
      ...(to === 'rule' && { definition }),
    },
  });
}

/** A change that {@link changeFlag} recorded. */
export interface FlagChange {
  readonly from: FlagState;
  readonly to: FlagState;
  /** What undoing it sets. */
  readonly before: FlagDefinition | null;
}

/** @returns undefined for an entry of another kind, and of a time when the state before was not recorded */
export function readFlagChange({ action, details }: RecordedAuditEntry): FlagChange | undefined {
  const { setting, before = null } = details as {
    setting?: Pick<FlagChange, 'from' | 'to'>;
    before?: FlagDefinition | null;
  };
  if (action !== 'flag.set' || !setting) return undefined;
  const { from, to } = setting;
  return { from, to, before: from === 'rule' ? before : defineState(from) };
}
