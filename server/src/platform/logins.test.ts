import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiDatabase } from '../../../testing/api-database.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { openWorkerDatabase } from '../../../testing/worker-database.ts';
import type { Database } from './postgres.ts';

let owner: TestDatabase;
let worker: Database;
let api: Database;
beforeAll(async () => {
  owner = await createTestDatabase();
  worker = await openWorkerDatabase(owner.database);
  api = await openApiDatabase(owner.database);
});
afterAll(async () => {
  await Promise.all([worker.close(), api.close()]);
  await owner.drop();
});

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
    const { rows } = await owner.database.systemPool.query<{ rights: string }>(`
      select c.relname || ': ' || string_agg(lower(a.privilege_type), ', ' order by a.privilege_type) as rights
      from pg_class c, aclexplode(c.relacl) a
      where c.relnamespace = 'public'::regnamespace and a.grantee = 'beacon_worker'::regrole
      group by c.relname order by c.relname`);
    expect(rows.map(({ rights }) => rights)).toMatchInlineSnapshot(`
      [
        "account_images: select",
        "account_languages: select",
        "accounts: select",
        "audit_chain: insert, select",
        "audit_heads: insert, select",
        "audit_log: select",
        "audit_unchained: delete, select",
        "ballot_events: select",
        "ballots: select, update",
        "consents: insert, select",
        "contact_channels: select, update",
        "contact_preferences: select",
        "elections: select",
        "imports: select",
        "local_deliveries: delete, insert, select",
        "message_origins: delete, insert, select",
        "messages: delete, insert, select, update",
        "office_deadlines: select",
        "providers: insert, select, update",
        "receipts: delete, insert, select",
        "schema_migrations: select",
        "suppressions: insert, select, update",
        "translation_overrides: select",
        "withdrawn_imports: select",
      ]
    `);
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
