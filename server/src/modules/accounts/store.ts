import type { Language } from '@ballot-beacon/contract/languages';
import { type ImageKind, imageKinds } from '@ballot-beacon/contract/office/images';
import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import type { Db, Tx } from '../../platform/postgres.ts';
import { type AccountFile, type AccountSettings, readSettings } from './account-file.ts';
import { removeImage, saveImage } from './image-store.ts';
import type { AccountImage } from './images.ts';

/** An election office. */
export interface Account {
  readonly accountId: AccountId;
  readonly subdomain: string;
  readonly name: string;
  readonly county: string;
  readonly state: string;
  /** IANA name. */
  readonly timeZone: string;
  /** In the office's order. */
  readonly languages: readonly Language[];
  readonly settings: AccountSettings;
  /** SHA-256 in hex of each image, for URLs that change with the image. */
  readonly images: Readonly<Partial<Record<ImageKind, string>>>;
}

interface AccountRow {
  account_id: AccountId;
  subdomain: string;
  name: string;
  county: string;
  state: string;
  time_zone: string;
  settings: unknown;
  languages: Language[] | null;
  images: Partial<Record<ImageKind, string>> | null;
}

const selectAccounts = sql`
  select a.account_id, a.subdomain, a.name, a.county, a.state, a.time_zone, a.settings,
    (select array_agg(l.language order by l.position) from account_languages l
      where l.account_id = a.account_id) as languages,
    (select json_object_agg(i.kind, encode(i.sha256, 'hex')) from account_images i
      where i.account_id = a.account_id) as images
  from accounts a`;

/** @param db `system`, or a connection bound to the account */
export async function findAccountBySubdomain(
  db: Db,
  subdomain: string,
): Promise<Account | undefined> {
  return (await selectMany(db, sql`where a.subdomain = ${subdomain}`))[0];
}

export async function findAccount(db: Db, accountId: AccountId): Promise<Account | undefined> {
  return (await selectMany(db, sql`where a.account_id = ${accountId}`))[0];
}

/** By subdomain. */
export async function listAccounts(db: Db): Promise<Account[]> {
  return selectMany(db, sql`order by a.subdomain`);
}

async function selectMany(db: Db, rest: RawBuilder<unknown>): Promise<Account[]> {
  const { rows } = await sql<AccountRow>`${selectAccounts} ${rest}`.execute(db);
  return rows.map((row) => ({
    accountId: row.account_id,
    subdomain: row.subdomain,
    name: row.name,
    county: row.county,
    state: row.state,
    timeZone: row.time_zone,
    languages: row.languages ?? [],
    settings: readSettings(row.settings),
    images: row.images ?? {},
  }));
}

export async function findAccountImage(
  db: Db,
  accountId: AccountId,
  kind: ImageKind,
): Promise<{ contentType: string; bytes: Buffer; sha256: string } | undefined> {
  const { rows } = await sql<{ content_type: string; bytes: Buffer; sha256: string }>`
    select content_type, bytes, encode(sha256, 'hex') as sha256 from account_images
    where account_id = ${accountId} and kind = ${kind}`.execute(db);
  const row = rows[0];
  return row && { contentType: row.content_type, bytes: row.bytes, sha256: row.sha256 };
}

/**
 * Creates or updates the account from its file.
 *
 * @param images null removes an image; an image that is left out stays
 */
export async function saveAccount(
  tx: Tx,
  file: AccountFile,
  images: Readonly<Partial<Record<ImageKind, AccountImage | null>>>,
): Promise<{ accountId: AccountId; isNew: boolean }> {
  const { subdomain, name, county, state, time_zone, languages, logo, background, ...settings } =
    file;
  const { rows } = await sql<{ account_id: AccountId; is_new: boolean }>`
    insert into accounts (subdomain, name, county, state, time_zone, settings)
    values (${subdomain}, ${name}, ${county}, ${state}, ${time_zone}, ${JSON.stringify(settings)})
    on conflict (subdomain) do update set name = excluded.name, county = excluded.county,
      state = excluded.state, time_zone = excluded.time_zone, settings = excluded.settings,
      updated_at = now()
    returning account_id, xmax = 0 as is_new`.execute(tx);
  const saved = rows[0];
  if (!saved) throw new Error('An account could not be saved.');
  const accountId = saved.account_id;

  await saveLanguages(tx, accountId, languages);
  for (const kind of imageKinds) {
    const image = images[kind];
    if (image === null) await removeImage(tx, accountId, kind);
    else if (image) await saveImage(tx, accountId, image);
  }
  return { accountId, isNew: saved.is_new };
}

/** The account as it is, which nobody else changes until the transaction's end. @param tx bound to the account */
export async function lockAccount(tx: Tx, accountId: AccountId): Promise<Account> {
  await sql`select from accounts where account_id = ${accountId} for update`.execute(tx);
  const account = await findAccount(tx, accountId);
  if (!account) throw new Error('The account is gone.');
  return account;
}

/** Changes the settings of an account that there is. Its subdomain and its images stay. @param tx bound to the account */
export async function saveSettings(tx: Tx, accountId: AccountId, file: AccountFile): Promise<void> {
  const { subdomain, name, county, state, time_zone, languages, logo, background, ...settings } =
    file;
  await sql`update accounts set name = ${name}, county = ${county}, state = ${state},
      time_zone = ${time_zone}, settings = ${JSON.stringify(settings)}, updated_at = now()
    where account_id = ${accountId}`.execute(tx);
  await saveLanguages(tx, accountId, languages);
}

async function saveLanguages(
  tx: Tx,
  accountId: AccountId,
  languages: readonly Language[],
): Promise<void> {
  await sql`delete from account_languages where account_id = ${accountId}`.execute(tx);
  await sql`insert into account_languages (account_id, language, position)
    select ${accountId}, language, position
    from unnest(${[...languages]}::text[]) with ordinality as l (language, position)`.execute(tx);
}

/** Gives the account another subdomain. The caller has checked that no account has it. */
export async function renameAccount(
  tx: Tx,
  accountId: AccountId,
  subdomain: string,
): Promise<void> {
  await sql`update accounts set subdomain = ${subdomain}, updated_at = now()
    where account_id = ${accountId}`.execute(tx);
}

/** What must not be lost with an account, by table; everything else of an account is settings and content. */
export const records = {
  voters: 'voter',
  elections: 'election',
  imports: 'imported file',
  suppressions: 'opted-out address',
} as const;

/** Tables whose rows are removed with their account: what refers to people before them. */
export const contents = [
  'answered_challenges',
  'invitations',
  'office_sessions',
  'passkeys',
  'person_roles',
  'people',
  'upload_pieces',
  'uploads',
  'account_images',
  'replaced_images',
  'account_languages',
  'daily_requests',
  'discarded_elections',
  'fix_letters',
  'mail_incidents',
  'fix_link_opens',
  'flag_definitions',
  'message_origins',
  'no_ballot_messages',
  'office_deadlines',
  'office_pages',
  'page_views',
  'push_credentials',
  'release_notes',
  'restores',
  'text_drafts',
  'text_versions',
  'translation_overrides',
  'voter_notes',
] as const;

export interface RecordCount {
  /** In the singular: "imported file". */
  readonly noun: string;
  readonly count: number;
}

/** Removes an account without records. @returns the records that it has; empty when it was removed */
export async function removeAccount(tx: Tx, accountId: AccountId): Promise<RecordCount[]> {
  const counts: RecordCount[] = [];
  for (const [table, noun] of Object.entries(records)) {
    const { rows } = await sql<{ count: number }>`
      -- sequential scan: counts all rows of an office, once in its life
      select count(*)::int as count from ${sql.table(table)} where account_id = ${accountId}`.execute(
      tx,
    );
    const count = rows[0]?.count ?? 0;
    if (count > 0) counts.push({ noun, count });
  }
  if (counts.length > 0) return counts;
  for (const table of contents)
    await sql`
      -- sequential scan: once in an office's life
      delete from ${sql.table(table)} where account_id = ${accountId}`.execute(tx);
  await sql`delete from accounts where account_id = ${accountId}`.execute(tx);
  return [];
}
