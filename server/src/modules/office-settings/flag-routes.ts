import { type FlagKey, flagCatalog, flagKeys } from '@ballot-beacon/contract/flags';
import type { Db } from '../../platform/postgres.ts';
import { problem } from '../../platform/problem.ts';
import { findAccount, lockAccount } from '../accounts/index.ts';
import { pageOfficeAudit, type RecordedAuditEntry } from '../audit/index.ts';
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
      await lockAccount(tx, accountId);
      const last = (await readLastChanges(tx)).get(params.key);
      const change = last && readFlagChange(last);
      if (last?.auditId !== body.audit_id || !change)
        throw problem(409, 'Somebody changed this switch meanwhile. Look at it again.');
      await changeFlag(tx, { accountId, actor }, params.key, change.before);
      return undefined;
    }),
  );
}

/** @param db bound to the account */
async function readLastChanges(db: Db): Promise<ReadonlyMap<FlagKey, RecordedAuditEntry>> {
  const entries = await pageOfficeAudit(db, { nouns: ['flag'], timeZone: 'UTC' }, historyLength);
  // The newest comes first, and a map keeps what is set last.
  return new Map(entries.reverse().map((one) => [one.target as FlagKey, one]));
}

function showChange(entry: RecordedAuditEntry | undefined, nameOf: (actor: string) => string) {
  const change = entry && readFlagChange(entry);
  if (!change) return null;
  const { auditId, at, actor } = entry;
  const { from, to } = change;
  return { audit_id: auditId, at: at.toISOString(), who: nameOf(actor), from, to };
}
