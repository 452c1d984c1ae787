// Longer than 400 lines: the rights of every login are listed whole, to be compared with each other.
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiDatabase } from '../../../testing/api-database.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { openWorkerDatabase } from '../../../testing/worker-database.ts';
import { createLogins, urlsOfLogins } from './logins.ts';
import { type Database, openDatabase } from './postgres.ts';

let owner: TestDatabase;
let worker: Database;
let api: Database;
let office: Database;
beforeAll(async () => {
  owner = await createTestDatabase();
  worker = await openWorkerDatabase(owner.database);
  api = openApiDatabase(owner.database);
  office = openDatabase(urlsOfLogins(owner.url).officeUrl, { connections: 2 });
});
afterAll(async () => {
  await Promise.all([worker.close(), api.close(), office.close()]);
  await owner.drop();
});

test('two first starts at once create the logins once', async () => {
  // The first look of the second start: the logins were not there yet.
  await owner.database.systemPool.query('create schema before');
  await owner.database.systemPool.query(
    'create view before.pg_roles as select rolname from pg_catalog.pg_roles limit 0',
  );
  const options = `options=${encodeURIComponent('-c search_path=before,pg_catalog')}`;
  const second = `${owner.url}${owner.url.includes('?') ? '&' : '?'}${options}`;
  expect(await createLogins(second)).toEqual(urlsOfLogins(second));
});

/** Of a role on whole tables, and on columns of others. */
async function readRights(role: string): Promise<string[]> {
  const { rows } = await owner.database.systemPool.query<{ rights: string }>(
    `
    select name || ': ' || string_agg(lower(privilege_type), ', ' order by privilege_type) as rights
    from (
      select c.relname::text as name, a.privilege_type
      from pg_class c, aclexplode(c.relacl) a
      where c.relnamespace = 'public'::regnamespace and a.grantee = $1::regrole
      union
      select c.relname || ' (' || (select string_agg(o.attname, ', ' order by o.attnum) from pg_attribute o
          where o.attrelid = c.oid and exists (select from aclexplode(o.attacl) ao
            where ao.grantee = $1::regrole and ao.privilege_type = a.privilege_type)) || ')', a.privilege_type
      from pg_class c join pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) a
      where c.relnamespace = 'public'::regnamespace and a.grantee = $1::regrole) granted
    group by name order by name`,
    [role],
  );
  return rows.map(({ rights }) => rights);
}

/** The functions that a role may call and not everybody: what they do is done with the owner’s rights. */
async function readFunctions(role: string): Promise<string[]> {
  const { rows } = await owner.database.systemPool.query<{ name: string }>(
    `
    select proname::text as name from pg_proc f
    where pronamespace = 'public'::regnamespace and has_function_privilege($1, oid, 'execute')
      and exists (select from aclexplode(coalesce(proacl, acldefault('f', proowner))) a having bool_and(a.grantee <> 0))
    order by 1`,
    [role],
  );
  return rows.map(({ name }) => name);
}

describe('the worker’s database login', () => {
  test.each([
    'select from sessions',
    'select from throttles',
    'select from network_voters',
    'select from used_captchas',
    'select from push_credentials',
    'select from ballot_codes',
    'select from replaced_voters',
    'select birthdate from voters',
    'select token_hash from voters',
    'select phone from voters',
    'select * from voters',
    'insert into sessions default values',
    "insert into voters (account_id, registration_id, lastname) values (1, 'X', 'X')",
    "update voters set lastname = 'X'",
    'delete from voters',
    "update accounts set settings = '{}'",
    'insert into ballot_events (account_id) values (1)',
    'delete from ballots',
    'delete from consents',
    'delete from audit_chain',
    'update audit_heads set day = day',
    "insert into audit_log (actor, action) values ('x', 'x')",
    'truncate messages',
    'drop table messages',
    'alter table sessions disable row level security',
    "insert into schema_migrations (name, sha256) values ('9999-x.sql', 'x')",
    'update schema_migrations set applied_at = now()',
    'create table public.mine (x int)',
    'create schema mine',
    'create role mine',
    'set role beacon_api',
    'set role beacon',
    'set session authorization beacon',
    "select * from find_login_candidates('1950-01-01', '99301', 'LEE')",
    "select pg_read_file('/etc/passwd')",
  ])('may not: %s', async (statement) => {
    await expect(worker.systemPool.query(statement)).rejects.toThrow(
      /permission denied|must be owner/,
    );
  });

  test('has exactly the rights that are on record, on tables and columns', async () => {
    expect(await readRights('beacon_worker')).toEqual([
      'account_images: select',
      'account_languages: select',
      'accounts: select',
      'audit_chain: insert, select',
      'audit_heads: insert, select',
      'audit_log: select',
      'audit_unchained: delete, select',
      'ballot_events: select',
      'ballots: select, update',
      'consents: insert, select',
      'contact_channels: select, update',
      'contact_preferences: select',
      'discarded_elections: select',
      'elections: select',
      'imports: select',
      'local_deliveries: delete, insert, select',
      'mail_incidents: insert, select, update',
      'mail_pieces: select',
      'mail_scans: select',
      'message_origins: delete, insert, select',
      'messages: delete, insert, select, update',
      'office_deadlines: select',
      'providers: insert, select, update',
      'receipts: delete, insert, select',
      'receipts (error_code): update',
      'replaced_images: delete, select',
      'restores: select',
      'schema_migrations: select',
      'sender_use: insert, select, update',
      'sending_database: insert, select',
      'suppressions: insert, select, update',
      'translation_overrides: select',
      'voter_notes: delete, select',
      'voters (account_id, voter_id, firstname, lastname, language_preference, is_active, is_confidential): select',
      'withdrawn_imports: select',
    ]);
  });

  test('belongs to no other role, and may create databases and roles as little as pass row-level security', async () => {
    const { rows } = await owner.database.systemPool.query(`
      select r.rolname, r.rolsuper, r.rolbypassrls, r.rolcreaterole, r.rolcreatedb, r.rolreplication,
        (select json_agg(g.rolname) from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid) as member_of
      from pg_roles r where r.rolname in ('beacon_worker', 'beacon_worker_login') order by 1`);
    const nothing = {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
    };
    expect(rows).toEqual([
      { rolname: 'beacon_worker', ...nothing, member_of: null },
      { rolname: 'beacon_worker_login', ...nothing, member_of: ['beacon_worker'] },
    ]);
  });
});

describe('the API’s database login for providers’ calls and pushed scans', () => {
  test.each([
    'select from sessions',
    'select from throttles',
    'select from ballot_codes',
    'select from replaced_voters',
    'select from audit_log',
    'select from audit_chain',
    'select birthdate from voters',
    'select token_hash from voters',
    'select token_comparison from voters',
    'select phone from voters',
    'select * from voters',
    'insert into sessions default values',
    "update voters set lastname = 'X'",
    'delete from voters',
    "update accounts set settings = '{}'",
    'delete from ballots',
    'delete from ballot_events',
    'delete from consents',
    'delete from mail_scans',
    'delete from imports',
    'update push_credentials set created_at = now()',
    'insert into push_credentials default values',
    'truncate messages',
    'drop table messages',
    'alter table voters disable row level security',
    'create table public.mine (x int)',
    'create role mine',
    'set role beacon_api',
    'set role beacon_worker',
    'set role beacon',
    'set session authorization beacon',
    "select * from find_login_candidates('1950-01-01', '99301', 'LEE')",
    'select * from list_weak_tokens(0, 1)',
    "select pg_read_file('/etc/passwd')",
  ])('may not: %s', async (statement) => {
    await expect(api.systemPool.query(statement)).rejects.toThrow(
      /permission denied|must be owner/,
    );
  });

  test('has exactly the rights that are on record', async () => {
    expect(await readRights('beacon_intake')).toEqual([
      'account_images: select',
      'account_languages: select',
      'accounts: select',
      'audit_log: insert',
      'ballot_events: insert, select',
      'ballot_events_event_id_seq: usage',
      'ballots: select, update',
      'consents: insert, select',
      'contact_channels: select, update',
      'contact_preferences: select',
      'elections: select',
      'import_gates: insert, select',
      'imports: insert, select, update',
      'inbound_contacts: delete, insert, select, update',
      'local_deliveries: select',
      'mail_pieces: select',
      'mail_scans: insert, select, update',
      'messages: insert, select, update',
      'providers: insert, select, update',
      'push_credentials: select',
      'receipts: delete, insert, select',
      'receipts (error_code): update',
      'schema_migrations: select',
      'suppressions: delete, insert, select, update',
      'translation_overrides: select',
      'voters (account_id, voter_id, firstname, lastname, language_preference, is_active, is_confidential): select',
      'withdrawn_imports: select',
    ]);
  });

  test('is a member of one role and of nothing else, and so is the login for voters’ requests', async () => {
    const { rows } = await owner.database.systemPool.query(`
      select r.rolname, r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb or r.rolreplication as may_more,
        (select json_agg(g.rolname) from pg_auth_members m join pg_roles g on g.oid = m.roleid where m.member = r.oid) as member_of
      from pg_roles r where r.rolname in ('beacon_intake', 'beacon_intake_login', 'beacon_api_login') order by 1`);
    expect(rows).toEqual([
      { rolname: 'beacon_api_login', may_more: false, member_of: ['beacon_api'] },
      { rolname: 'beacon_intake', may_more: false, member_of: null },
      { rolname: 'beacon_intake_login', may_more: false, member_of: ['beacon_intake'] },
    ]);
  });
});

describe('the database login of the office’s commands and the console', () => {
  test.each([
    'select session_hash from sessions',
    'select * from sessions',
    'insert into sessions default values',
    'update sessions set last_active_at = now()',
    'select total_failures from throttles',
    'update throttles set failures = 0',
    'select from network_voters',
    'select from used_captchas',
    'select from contact_codes',
    'select from inbound_contacts',
    'delete from receipts',
    "update contact_channels set address = 'x@example.org'",
    "insert into suppressions (account_id, channel, address) values (1, 'email', 'x@example.org')",
    'delete from suppressions',
    'delete from consents',
    'delete from voters',
    'delete from ballots',
    'delete from ballot_events',
    'update ballot_events set occurred_on = now()',
    'delete from messages',
    'delete from imports',
    'update replaced_voters set was = was',
    'delete from replaced_voters',
    'update audit_log set at = now()',
    'delete from audit_log',
    'delete from audit_unchained',
    'insert into audit_chain default values',
    'update audit_heads set day = day',
    'truncate messages',
    'drop table messages',
    'alter table voters disable row level security',
    'alter table audit_log disable trigger all',
    'create policy mine on voters using (true)',
    "insert into schema_migrations (name, sha256) values ('9999-x.sql', 'x')",
    'create table public.mine (x int)',
    'create schema mine',
    'create role mine',
    'grant beacon_api to beacon_office_login',
    'set role beacon_api',
    'set role beacon_worker',
    'set role beacon_intake',
    'set role beacon',
    'set session authorization beacon',
    "set session_replication_role = 'replica'",
    "select * from find_login_candidates('1950-01-01', '99301', 'LEE')",
    "select find_session_account('x')",
    'select * from list_weak_tokens(0, 1)',
    "select pg_read_file('/etc/passwd')",
    "copy voters to program 'cat'",
  ])('may not: %s', async (statement) => {
    await expect(office.systemPool.query(statement)).rejects.toThrow(
      /permission denied|must be owner|must have admin option|must be superuser/,
    );
  });

  test('has exactly the rights that are on record', async () => {
    expect(await readRights('beacon_operator')).toEqual([
      'account_images: delete, insert, select, update',
      'account_languages: delete, insert, select',
      'accounts: delete, insert, select, update',
      'answered_challenges: delete',
      'answered_challenges (account_id): select',
      'audit_chain: select',
      'audit_heads: select',
      'audit_log: insert, select',
      'audit_unchained: select',
      'ballot_codes: insert, select',
      'ballot_events: insert, select',
      'ballot_events_event_id_seq: usage',
      'ballots: insert, select, update',
      'ballots_ballot_id_seq: usage',
      'consents: select',
      'contact_channels: select',
      'contact_preferences: select',
      'daily_requests: delete, select, update',
      'discarded_elections: delete, select',
      'elections: delete, insert, select, update',
      'fix_letters: delete, insert, select, update',
      'fix_link_opens: delete, select',
      'flag_definitions: delete, insert, select, update',
      'import_gates: insert, select, update',
      'imports: insert, select, update',
      'invitations: delete',
      'invitations (account_id): select',
      'letter_codes: delete, insert',
      'letter_codes (account_id, letter_code_id, voter_id, election_id, expires_at): select',
      'local_deliveries: select',
      'mail_incidents: delete, select',
      'mail_pieces: delete, insert, select, update',
      'mail_scans: insert, select, update',
      'message_origins: delete, select',
      'messages: insert, select, update',
      'no_ballot_messages: delete, insert, select, update',
      'office_deadlines: delete, insert, select, update',
      'office_pages: delete, insert, select, update',
      'office_sessions: delete',
      'office_sessions (account_id): select',
      'page_views: delete, select',
      'passkeys: delete',
      'passkeys (account_id): select',
      'people: delete',
      'people (account_id): select',
      'person_roles: delete',
      'person_roles (account_id): select',
      'push_credentials: delete, insert, select, update',
      'release_notes: delete, insert, select',
      'replaced_ballots: insert, select',
      'replaced_images: delete, insert, select, update',
      'replaced_pieces: delete, insert, select',
      'replaced_voters: insert, select',
      'restores: delete, select, update',
      'schema_migrations: select',
      'sessions: delete',
      'sessions (account_id, voter_id): select',
      'suppressions: select',
      'text_drafts: delete',
      'text_drafts (account_id): select',
      'text_versions: delete, insert',
      'text_versions (account_id): select',
      'throttles: delete',
      'throttles (throttle_key): select',
      'translation_overrides: delete, insert, select, update',
      'upload_pieces: delete, insert, select',
      'uploads: delete, select, update',
      'voter_notes: delete, select',
      'voters: insert, select, update',
      'withdrawn_imports: insert, select',
    ]);
    expect(await readRights('beacon_office')).toEqual([
      'account_images: delete, insert, select, update',
      'account_languages: delete, insert, select',
      'accounts: select',
      'accounts (name, county, state, time_zone, settings, content_version, updated_at): update',
      'answered_challenges: delete, insert, select',
      'audit_log: insert, select',
      'ballot_codes: insert, select',
      'ballot_events: select',
      'ballots: select',
      'consents: select',
      'contact_channels: select',
      'contact_preferences: select',
      'discarded_elections: select',
      'elections: delete, insert, select, update',
      'fix_letters: insert, select',
      'fix_letters (printed_at, printed_by): update',
      'fix_link_opens: select',
      'flag_definitions: delete, insert, select, update',
      'import_gates: select',
      'imports: select',
      'invitations: delete, insert, select',
      'letter_codes: delete, insert',
      'letter_codes (account_id, letter_code_id, voter_id, election_id, expires_at): select',
      'mail_incidents: select',
      'mail_pieces: select',
      'mail_scans: select',
      'messages: select',
      'no_ballot_messages: delete, insert, select, update',
      'office_deadlines: delete, insert, select, update',
      'office_pages: delete, insert, select, update',
      'office_sessions: delete, insert, select',
      'office_sessions (last_active_at): update',
      'page_views: select',
      'passkeys: delete, insert, select',
      'passkeys (counter, last_used_at): update',
      'people: insert, select, update',
      'person_roles: delete, insert, select',
      'push_credentials: insert, select, update',
      'receipts: select',
      'release_notes: delete, insert, select',
      'replaced_images: delete, insert, select, update',
      'sender_use: select',
      'suppressions: select',
      'text_drafts: delete, insert, select, update',
      'text_versions: insert, select',
      'text_versions (reviewed_by, reviewed_at): update',
      'translation_overrides: delete, insert, select, update',
      'upload_pieces: insert, select',
      'uploads: insert, select, update',
      'voter_notes: insert, select',
      'voters: select',
      'withdrawn_imports: select',
    ]);
  });

  test('is a member of its two roles and of nothing else', async () => {
    const { rows } = await owner.database.systemPool.query(`
      select r.rolname, r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb or r.rolreplication as may_more,
        (select json_agg(g.rolname order by 1) from pg_auth_members m join pg_roles g on g.oid = m.roleid
          where m.member = r.oid) as member_of
      from pg_roles r where r.rolname in ('beacon_office', 'beacon_operator', 'beacon_office_login') order by 1`);
    expect(rows).toEqual([
      { rolname: 'beacon_office', may_more: false, member_of: null },
      {
        rolname: 'beacon_office_login',
        may_more: false,
        member_of: ['beacon_office', 'beacon_operator'],
      },
      { rolname: 'beacon_operator', may_more: false, member_of: null },
    ]);
  });

  test('reads one office where a command or the console is about one', async () => {
    const add = `insert into accounts (subdomain, name, county, state, time_zone, settings)
      values ($1, $1, $1, 'FL', 'America/New_York', '{}') returning account_id`;
    const [one] = (await owner.database.systemPool.query(add, ['one'])).rows;
    await owner.database.systemPool.query(add, ['two']);
    const seen = await office
      .forOffice(one.account_id)
      .executeQuery(CompiledQuery.raw('select subdomain from accounts'));
    expect(seen.rows).toEqual([{ subdomain: 'one' }]);
  });
});

test('each login calls the functions that are on record for it, and no other', async () => {
  const roles = [
    'beacon_api',
    'beacon_intake',
    'beacon_worker',
    'beacon_operator',
    'beacon_office',
  ];
  const called = await Promise.all(roles.map(async (role) => [role, await readFunctions(role)]));
  expect(Object.fromEntries(called)).toEqual({
    beacon_api: [
      'delete_expired_sessions',
      'find_account',
      'find_code_account',
      'find_letter_account',
      'find_login_candidates',
      'find_session_account',
      'record_security_events',
      'strengthen_token',
      'wake_messages',
    ],
    beacon_intake: ['analyze_loaded', 'wake_messages'],
    beacon_worker: [
      'database_identity',
      'discard_ballots',
      'discard_election',
      'expire_imports',
      'is_sending_database',
      'list_weak_tokens',
      'strengthen_token',
      'wake_messages',
    ],
    beacon_operator: [
      'analyze_loaded',
      'discard_ballots',
      'discard_election',
      'has_locked',
      'is_sending_database',
      'wake_messages',
    ],
    beacon_office: ['find_troubled_channels', 'find_voters_named', 'find_voters_reached'],
  });
});

describe('the console’s role', () => {
  test('is out of reach for the logins of voters’ requests, of providers’ calls and of the worker', async () => {
    for (const { systemPool } of [worker, api])
      for (const role of ['beacon_office', 'beacon_operator'])
        await expect(systemPool.query(`set role ${role}`)).rejects.toThrow('permission denied');
    for (const role of ['beacon_office', 'beacon_operator'])
      await expect(
        api.unscoped.executeQuery(CompiledQuery.raw(`set role ${role}`)),
      ).rejects.toThrow('permission denied');
  });
});
