import { type FlagKey, flagCatalog, flagKeys } from '@ballot-beacon/contract/flags';
import type { AccountId } from '../../platform/ids.ts';
import type { Db, Tx } from '../../platform/postgres.ts';
import { problem } from '../../platform/problem.ts';
import { findAccount, lockAccount } from '../accounts/index.ts';
import { type Actor, pageOfficeAudit, type RecordedAuditEntry } from '../audit/index.ts';
import {
  changeFlag,
  defineState,
  readFlagChange,
  readFlagDefinitions,
  stateOf,
} from '../flags/index.ts';
import { nameActors, type OfficeApi } from '../people/index.ts';

/** So many changes of flags are looked through for the last one of each. */
const historyLength = 100;

/** Parts of an office's page that are turned on and off, with the rules of `beacon flag set`. */
export function registerOfficeFlagRoutes(api: OfficeApi): void {
  api.answer('listFlags', async ({ db, account: { accountId } }) => {
    const [account, own, changes] = [
      await findAccount(db, accountId),
      await readFlagDefinitions(db),
      await readLastChanges(db),
    ];
    const nameOf = await nameActors(
      db,
      [...changes.values()].map(({ actor }) => actor),
    );
    return {
      flags: flagKeys.map((key) => ({
        key,
        state: stateOf(own[key] ?? null),
        default_value: flagCatalog[key].defaultValue,
        last_change: showChange(changes.get(key), nameOf),
      })),
      is_elsewhere: account?.settings.launchdarkly_client_id != null,
    };
  });

  api.answer('setFlag', ({ db, account: { accountId }, session: { actor } }, { params, body }) =>
    db.transaction().execute(async (tx) => {
      await changeFlag(tx, { accountId, actor }, params.key, defineState(body.to));
      return undefined;
    }),
  );

  api.answer('undoFlag', ({ db, account: { accountId }, session: { actor } }, { params, body }) =>
    db.transaction().execute(async (tx) => {
      await undoFlag(tx, { accountId, actor }, params.key, body.audit_id);
      return undefined;
    }),
  );
}

/** Sets a flag as it was before its last change. @param auditId of that change, as the person saw it */
export async function undoFlag(
  tx: Tx,
  by: { readonly accountId: AccountId; readonly actor: Actor },
  key: FlagKey,
  auditId: number,
): Promise<void> {
  await lockAccount(tx, by.accountId);
  const last = (await readLastChanges(tx)).get(key);
  const change = last && readFlagChange(last);
  if (last?.auditId !== auditId || !change)
    throw problem(409, 'Somebody changed this switch meanwhile. Look at it again.');
  await changeFlag(tx, by, key, change.before);
}

/** @param db bound to the account */
async function readLastChanges(db: Db): Promise<ReadonlyMap<FlagKey, RecordedAuditEntry>> {
  // The newest comes first, and a map keeps what is set last.
  const entries = await readFlagEntries(db);
  return new Map(entries.reverse().map((one) => [one.target as FlagKey, one]));
}

/** Newest first. @param db bound to the account */
export function readFlagEntries(db: Db): Promise<RecordedAuditEntry[]> {
  return pageOfficeAudit(db, { nouns: ['flag'], timeZone: 'UTC' }, historyLength);
}

function showChange(entry: RecordedAuditEntry | undefined, nameOf: (actor: string) => string) {
  const change = entry && readFlagChange(entry);
  if (!change) return null;
  const { auditId, at, actor } = entry;
  const { from, to } = change;
  return { audit_id: auditId, at: at.toISOString(), who: nameOf(actor), from, to };
}
