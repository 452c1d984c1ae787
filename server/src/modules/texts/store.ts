import { isLanguage, type Language } from '@ballot-beacon/contract/languages';
import { sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';

export interface Override {
  readonly language: Language;
  readonly section: string;
  readonly key: string;
  readonly value: string;
}

/** The account's own texts. */
export async function readOverrides(db: Db): Promise<Override[]> {
  const { rows } = await sql<Omit<Override, 'language'> & { language: string }>`
    select language, section, key, value from translation_overrides
    where account_id = current_account_id()`.execute(db);
  return rows.flatMap(({ language, ...row }) =>
    isLanguage(language) ? [{ ...row, language }] : [],
  );
}

/** Sets an account's own text for a key; null resets it. */
export async function saveOverride(
  system: Db,
  accountId: AccountId,
  override: Omit<Override, 'value'> & { readonly value: string | null },
): Promise<void> {
  const { language, section, key, value } = override;
  if (value === null) {
    await sql`delete from translation_overrides
      where account_id = ${accountId} and language = ${language} and section = ${section} and key = ${key}`.execute(
      system,
    );
    return;
  }
  await sql`
    insert into translation_overrides (account_id, language, section, key, value)
    values (${accountId}, ${language}, ${section}, ${key}, ${value})
    on conflict (account_id, language, section, key) do update set value = excluded.value`.execute(
    system,
  );
}
