import { type FlagKey, isFlagKey } from '@ballot-beacon/contract/flags';
import { sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { FlagDefinition } from './rules.ts';

/** The account's own definitions, in flagd's format. */
export async function readFlagDefinitions(
  db: Db,
): Promise<Partial<Record<FlagKey, FlagDefinition>>> {
  const { rows } = await sql<{ flag_key: string; definition: FlagDefinition }>`
    select flag_key, definition from flag_definitions where account_id = current_account_id()`.execute(
    db,
  );
  return Object.fromEntries(
    rows.filter((row) => isFlagKey(row.flag_key)).map((row) => [row.flag_key, row.definition]),
  );
}

/** The account's own definition of a flag; null where it has none. */
export async function readFlagDefinition(
  db: Db,
  accountId: AccountId,
  key: FlagKey,
): Promise<FlagDefinition | null> {
  const { rows } = await sql<{ definition: FlagDefinition }>`
    select definition from flag_definitions where account_id = ${accountId} and flag_key = ${key}`.execute(
    db,
  );
  return rows[0]?.definition ?? null;
}

/** Sets an account's definition of a flag; null resets it to the default. */
export async function saveFlagDefinition(
  system: Db,
  accountId: AccountId,
  key: FlagKey,
  definition: FlagDefinition | null,
): Promise<void> {
  if (definition === null) {
    await sql`delete from flag_definitions where account_id = ${accountId} and flag_key = ${key}`.execute(
      system,
    );
    return;
  }
  await sql`
    insert into flag_definitions (account_id, flag_key, definition, updated_at)
    values (${accountId}, ${key}, ${JSON.stringify(definition)}, now())
    on conflict (account_id, flag_key) do update
      set definition = excluded.definition, updated_at = excluded.updated_at`.execute(system);
}
