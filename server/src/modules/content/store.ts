import type { Language } from '@ballot-beacon/contract/languages';
import { sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';

export type OfficePage = 'faq' | 'county-information';

/** The office's own text of a page, in the language or else in english. */
export async function readOfficePage(
  db: Db,
  page: OfficePage,
  language: Language,
): Promise<{ readonly language: string; readonly html: string } | undefined> {
  const { rows } = await sql<{ language: string; html: string }>`
    select language, html from office_pages
    where account_id = current_account_id() and page = ${page} and language in (${language}, 'english')`.execute(
    db,
  );
  const inLanguage = (wanted: string) => rows.find((row) => row.language === wanted);
  return inLanguage(language) ?? inLanguage('english');
}

/** Sets an office's page; null resets it to the product's own. */
export async function saveOfficePage(
  system: Db,
  accountId: AccountId,
  { page, language, html }: { page: OfficePage; language: Language; html: string | null },
): Promise<void> {
  if (html === null) {
    await sql`delete from office_pages
      where account_id = ${accountId} and page = ${page} and language = ${language}`.execute(
      system,
    );
    return;
  }
  await sql`
    insert into office_pages (account_id, page, language, html, updated_at)
    values (${accountId}, ${page}, ${language}, ${html}, now())
    on conflict (account_id, page, language) do update
      set html = excluded.html, updated_at = excluded.updated_at`.execute(system);
}

/** Sets the text for a voter without a current ballot; null resets it to the product's own. */
export async function saveNoBallotMessage(
  system: Db,
  accountId: AccountId,
  language: Language,
  message: { title: string; description: string } | null,
): Promise<void> {
  if (message === null) {
    await sql`delete from no_ballot_messages
      where account_id = ${accountId} and language = ${language}`.execute(system);
    return;
  }
  await sql`
    insert into no_ballot_messages (account_id, language, title, description)
    values (${accountId}, ${language}, ${message.title}, ${message.description})
    on conflict (account_id, language) do update
      set title = excluded.title, description = excluded.description`.execute(system);
}

export interface StoredNote {
  readonly release_note_id: number;
  readonly html: string;
  readonly published_at: Date;
}

/** One page of the office's notes, newest first, with the total number. */
export async function readReleaseNotes(
  db: Db,
  page: number,
  pageSize: number,
): Promise<{ notes: StoredNote[]; total: number }> {
  const [notes, count] = await Promise.all([
    sql<StoredNote>`
      select release_note_id, html, published_at from release_notes
      where account_id = current_account_id()
      order by published_at desc, release_note_id desc
      limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db),
    sql<{ total: number }>`
      select count(*) as total from release_notes where account_id = current_account_id()`.execute(
      db,
    ),
  ]);
  return { notes: notes.rows, total: count.rows[0]?.total ?? 0 };
}

export async function addReleaseNote(
  system: Db,
  accountId: AccountId,
  note: { html: string; publishedAt: Date },
): Promise<number> {
  const { rows } = await sql<{ release_note_id: number }>`
    insert into release_notes (account_id, html, published_at)
    values (${accountId}, ${note.html}, ${note.publishedAt}) returning release_note_id`.execute(
    system,
  );
  return rows[0]?.release_note_id ?? 0;
}

/** @returns false where the office has no such note */
export async function removeReleaseNote(
  system: Db,
  accountId: AccountId,
  noteId: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from release_notes where account_id = ${accountId} and release_note_id = ${noteId}`.execute(
    system,
  );
  return numAffectedRows === 1n;
}
