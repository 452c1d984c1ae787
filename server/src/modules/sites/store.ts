import { isLanguage, type Language } from '@ballot-beacon/contract/languages';
import { sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';

export interface FoundAccount {
  readonly account_id: AccountId;
  /** Changes with all content that an office shows; a trigger on the table counts it. */
  readonly content_version: number;
}

export async function findAccountOfSubdomain(
  unscoped: Db,
  subdomain: string,
): Promise<FoundAccount | undefined> {
  const { rows } = await sql<FoundAccount>`select * from find_account(${subdomain})`.execute(
    unscoped,
  );
  return rows[0];
}

/** @param db bound to the account */
export async function readContentVersion(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ content_version: number }>`
    select content_version from accounts where account_id = current_account_id()`.execute(db);
  return rows[0]?.content_version;
}

export interface NoBallotMessage {
  readonly title: string;
  readonly description: string;
}

/** The account's own text for a voter without a current ballot. */
export async function readNoBallotMessages(
  db: Db,
): Promise<Partial<Record<Language, NoBallotMessage>>> {
  const { rows } = await sql<NoBallotMessage & { language: string }>`
    select language, title, description from no_ballot_messages
    where account_id = current_account_id()`.execute(db);
  return Object.fromEntries(
    rows
      .filter((row) => isLanguage(row.language))
      .map(({ language, title, description }) => [language, { title, description }]),
  );
}

/** Whether the account has published any release notes. */
export async function hasReleaseNotes(db: Db): Promise<boolean> {
  const { rows } = await sql<{ has_any: boolean }>`
    select exists (
      select from release_notes where account_id = current_account_id()
    ) as has_any`.execute(db);
  return rows[0]?.has_any ?? false;
}

/** The account's own address block, shown instead of the county's contact, as HTML. */
export async function readCountyInformation(
  db: Db,
): Promise<{ language: Language; html: string }[]> {
  const { rows } = await sql<{ language: string; html: string }>`
    select language, html from office_pages
    where account_id = current_account_id() and page = 'county-information'`.execute(db);
  return rows.flatMap(({ language, html }) => (isLanguage(language) ? [{ language, html }] : []));
}
