import { randomInt } from 'node:crypto';
import { isLanguage, type Language } from '@ballot-beacon/contract/languages';
import type { Words } from '@ballot-beacon/contract/office/words';
import { sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import type { Db, Tx } from '../../platform/postgres.ts';
import { officeAlertKey } from '../texts/index.ts';
import { type LastChange, type OwnText, type TextOf, toWords } from './rules.ts';

/** All that an office worded itself. */
export async function readOwnTexts(db: Db, accountId: AccountId): Promise<OwnText[]> {
  const { rows } = await sql<Omit<OwnText, 'language'> & { language: string }>`
    select page as text, language, '' as title, html as body from office_pages
      where account_id = ${accountId}
    union all select 'no-ballot', language, title, description from no_ballot_messages
      where account_id = ${accountId}
    union all
    select case when section = 'main' and key = ${officeAlertKey} then 'alert' else section || ':' || key end,
      language, '', value from translation_overrides
      where account_id = ${accountId}`.execute(db);
  return rows.flatMap(({ language, ...row }) =>
    isLanguage(language) ? [{ ...row, language }] : [],
  );
}

export interface Change extends TextOf {
  readonly from: Words | null;
  readonly to: Words | null;
}

/** Keeps what voters read before and after. */
export async function insertVersion(
  tx: Tx,
  { accountId, actor }: { readonly accountId: AccountId; readonly actor: string },
  { text, language, from, to }: Change,
): Promise<void> {
  await sql`insert into text_versions (account_id, text, language, title_before, body_before, title_after, body_after, changed_by)
    values (${accountId}, ${text}, ${language}, ${from?.title ?? ''}, ${from?.body ?? null},
      ${to?.title ?? ''}, ${to?.body ?? null}, ${actor})`.execute(tx);
}

export interface Version extends Change {
  readonly versionId: number;
  readonly actor: string;
  readonly at: Date;
  readonly reviewedBy: string | null;
}

interface VersionRow {
  readonly version_id: number;
  readonly text: string;
  readonly language: Language;
  readonly title_before: string;
  readonly body_before: string | null;
  readonly title_after: string;
  readonly body_after: string | null;
  readonly changed_by: string;
  readonly changed_at: Date;
  readonly reviewed_by: string | null;
}

/** Newest first. @param db bound to the account */
export async function readVersions(
  db: Db,
  { text, language }: TextOf,
  limit: number,
): Promise<Version[]> {
  const { rows } = await sql<VersionRow>`
    select * from text_versions
    where account_id = current_account_id() and text = ${text} and language = ${language}
    order by version_id desc limit ${limit}`.execute(db);
  return rows.map((row) => ({
    versionId: Number(row.version_id),
    text: row.text,
    language: row.language,
    from: toWords(row.body_before, row.title_before),
    to: toWords(row.body_after, row.title_after),
    actor: row.changed_by,
    at: row.changed_at,
    reviewedBy: row.reviewed_by,
  }));
}

/** The last change of each text in each language. @param db bound to the account */
export async function readLastChanges(db: Db): Promise<LastChange[]> {
  const { rows } = await sql<LastChange>`
    select distinct on (text, language) text, language, version_id, reviewed_by is not null as is_reviewed
    from text_versions where account_id = current_account_id()
    order by text, language, version_id desc`.execute(db);
  return rows;
}

/** Who wrote a version. @param db bound to the account */
export async function readAuthor(db: Db, versionId: number): Promise<string | undefined> {
  const { rows } = await sql<{ changed_by: string }>`
    select changed_by from text_versions
    where account_id = current_account_id() and version_id = ${versionId}`.execute(db);
  return rows[0]?.changed_by;
}

/** @returns false where there is no such version, or the reviewer wrote it */
export async function saveReview(db: Db, versionId: number, reviewer: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update text_versions set reviewed_by = ${reviewer}, reviewed_at = now()
    where account_id = current_account_id() and version_id = ${versionId} and changed_by <> ${reviewer}`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

export interface Draft {
  readonly words: Words | null;
  readonly version: number;
  readonly actor: string;
  readonly at: Date;
}

interface DraftRow {
  readonly title: string;
  readonly body: string | null;
  readonly version: number;
  readonly written_by: string;
  readonly written_at: Date;
}

/** @param db bound to the account */
export async function readDraft(db: Db, { text, language }: TextOf): Promise<Draft | undefined> {
  const { rows } = await sql<DraftRow>`
    select title, body, version, written_by, written_at from text_drafts
    where account_id = current_account_id() and text = ${text} and language = ${language}`.execute(
    db,
  );
  const [row] = rows;
  return (
    row && {
      words: toWords(row.body, row.title),
      version: row.version,
      actor: row.written_by,
      at: row.written_at,
    }
  );
}

/** Which texts have a draft. @param db bound to the account */
export async function readDrafted(db: Db): Promise<TextOf[]> {
  const { rows } = await sql<TextOf>`
    select text, language from text_drafts where account_id = current_account_id()`.execute(db);
  return rows;
}

/** A draft begins with any version up to this one, so that who saw a draft that is gone does not decide on the next. */
const mostFirstVersion = 2 ** 30;

/**
 * Saves a draft in place of the draft that the person saw.
 *
 * @param seen the version of that draft; null where there was none
 * @returns the new version; undefined when somebody saved another draft meanwhile
 */
export async function saveDraft(
  tx: Tx,
  { text, language, words }: TextOf & { readonly words: Words | null },
  by: { readonly accountId: AccountId; readonly actor: string; readonly now: Date },
  seen: number | null,
): Promise<number | undefined> {
  const { accountId, actor, now } = by;
  const { title, body } = { title: words?.title ?? '', body: words?.body ?? null };
  const { rows } = await (seen === null
    ? sql<{ version: number }>`
        insert into text_drafts (account_id, text, language, title, body, version, written_by, written_at)
        values (${accountId}, ${text}, ${language}, ${title}, ${body}, ${randomInt(1, mostFirstVersion)},
          ${actor}, ${now})
        on conflict do nothing returning version`
    : sql<{ version: number }>`
        update text_drafts set title = ${title}, body = ${body}, version = version + 1,
          written_by = ${actor}, written_at = ${now}
        where account_id = ${accountId} and text = ${text} and language = ${language} and version = ${seen}
        returning version`
  ).execute(tx);
  return rows[0]?.version;
}

/** Removes the draft that the person saw. @returns it; undefined when it changed meanwhile */
export async function takeDraft(
  tx: Tx,
  { text, language, version }: TextOf & { readonly version: number },
): Promise<Pick<Draft, 'words' | 'actor'> | undefined> {
  const { rows } = await sql<Pick<DraftRow, 'title' | 'body' | 'written_by'>>`
    delete from text_drafts where account_id = current_account_id() and text = ${text}
      and language = ${language} and version = ${version}
    returning title, body, written_by`.execute(tx);
  const [row] = rows;
  return row && { words: toWords(row.body, row.title), actor: row.written_by };
}
