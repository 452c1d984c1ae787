import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { fillEveryTable, insertInto, type Table } from '../../../testing/every-table.ts';
import { CompiledQuery, sql } from '../../../testing/sql.ts';
import type { AccountId } from '../platform/ids.ts';
import type { Db } from '../platform/postgres.ts';

/**
 * Two offices have a row in every table of the schema, so a new table is covered without a change here. The role that
 * serves visitors, `beacon_api`, reaches only the rows of its own office, and can change only what is named here.
 */
const adams = 1 as AccountId;
const lake = 2 as AccountId;

type Privilege = 'select' | 'insert' | 'update' | 'delete';

/** What a visitor's request changes. Every other table, known or new, is at most read. */
const written: Readonly<Record<string, readonly Privilege[]>> = {
  // Who signs in and out.
  contact_codes: ['insert', 'update', 'delete'],
  sessions: ['insert', 'update', 'delete'],
  throttles: ['insert', 'update', 'delete'],
  network_voters: ['insert', 'update', 'delete'],
  used_captchas: ['insert', 'update', 'delete'],
  // What a voter chooses, and when.
  contact_preferences: ['insert', 'update'],
  contact_channels: ['insert', 'update', 'delete'],
  consents: ['insert'],
  suppressions: ['insert', 'update', 'delete'],
  // The welcome, the confirmation and the mailbox's answers.
  messages: ['insert', 'update'],
  daily_requests: ['insert', 'update'],
  // What was done, never to be changed.
  audit_log: ['insert'],
  page_views: ['insert', 'update'],
  // That the link of a message was opened.
  fix_link_opens: ['insert'],
  availability_days: ['insert', 'update'],
};

/**
 * Tables of no office: what a visitor did before anybody knew whose voter it is, what the site shows everybody, and what
 * senders that offices share used of their limits.
 */
const ofNoOffice = [
  'throttles',
  'used_captchas',
  'network_voters',
  'audit_heads',
  'availability_days',
  'sender_use',
];

let db: TestDatabase;
let tables: Table[];
const owner = <Row extends object>(text: string) =>
  db.database.system.executeQuery<Row>(CompiledQuery.raw(text));

beforeAll(async () => {
  db = await createTestDatabase();
  tables = await fillEveryTable(db, [adams, lake]);
}, 120_000);
afterAll(() => db.drop());

/** The rows that a statement touches, or `denied`. */
async function attempt(as: Db, text: string): Promise<number | 'denied'> {
  try {
    const { rows, numAffectedRows } = await as.executeQuery(CompiledQuery.raw(text));
    return Number(numAffectedRows ?? rows.length);
  } catch (error) {
    expect((error as { code?: string }).code, text).toBe('42501');
    return 'denied';
  }
}

async function privilegesOn(name: string): Promise<string[]> {
  const { rows } = await sql<{ privilege: string }>`
    select privilege from unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) privilege
    where has_table_privilege('beacon_api', ${name}, privilege)
      or (privilege in ('select', 'insert', 'update', 'references') and has_any_column_privilege('beacon_api', ${name}, privilege))`.execute(
    db.database.system,
  );
  return rows.map(({ privilege }) => privilege);
}

describe('every table of an office', () => {
  test('is guarded by one policy, that the row is the office’s', async () => {
    const { rows } = await owner<{ name: string; guarded: boolean; policies: string[] }>(`
      select c.relname as name, c.relrowsecurity as guarded, coalesce((
        select json_agg(concat_ws(' ', p.polpermissive, p.polcmd, p.polroles::text,
          pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))) from pg_policy p
          where p.polrelid = c.oid and p.polroles <> array['beacon_worker'::regrole::oid]
            and p.polroles <> array['beacon_intake'::regrole::oid]
            and p.polroles <> array['beacon_operator'::regrole::oid]), '[]') as policies
      from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`);
    const hasAccount = new Map(tables.map((table) => [table.name, table.hasAccount]));
    expect(rows.length).toBeGreaterThan(20);
    for (const { name, guarded, policies } of rows) {
      const isOpen = (await privilegesOn(name)).length > 0;
      if (ofNoOffice.includes(name)) expect(hasAccount.get(name), name).toBe(false);
      // Without a policy nobody but the owner sees a row, which is right where nothing is granted.
      else if (isOpen || policies.length > 0) {
        expect({ name, guarded, policies }).toEqual({
          name,
          guarded: true,
          policies: ['t * {0} (account_id = current_account_id())'],
        });
      }
    }
  });

  test('shows its office’s rows alone, and none to a visitor of no office', async () => {
    let seen = 0;
    for (const { name, hasAccount } of tables) {
      if (!hasAccount) continue;
      const isRead = (await privilegesOn(name)).includes('select');
      for (const [account, count] of [
        [adams, 1],
        [lake, 1],
        [3 as AccountId, 0],
      ] as const) {
        const text = `select from "${name}" where account_id = ${account}`;
        const all = `select from "${name}"`;
        const as = db.database.forAccount(account);
        expect([await attempt(as, text), await attempt(as, all)], name).toEqual(
          isRead ? [count, count] : ['denied', 'denied'],
        );
      }
      expect(await attempt(db.database.unscoped, `select from "${name}"`), name).toBe(
        isRead ? 0 : 'denied',
      );
      seen += isRead ? 1 : 0;
    }
    expect(seen).toBeGreaterThan(15);
  });

  test('takes no row of another office, gives none away, and changes and deletes none of its', async () => {
    const as = db.database.forAccount(adams);
    for (const table of tables) {
      const { name, hasAccount } = table;
      if (!hasAccount) continue;
      const may = await privilegesOn(name);
      const of = `where account_id = ${lake}`;
      expect(await attempt(as, insertInto(table, lake)), `insert ${name}`).toBe('denied');
      const change = `update "${name}" set account_id = account_id`;
      const give = `update "${name}" set account_id = ${lake}`;
      expect(await attempt(as, `${change} ${of}`), change).toBe(
        may.includes('update') ? 0 : 'denied',
      );
      expect(await attempt(as, give), give).toBe('denied');
      const remove = `delete from "${name}" ${of}`;
      expect(await attempt(as, remove), remove).toBe(may.includes('delete') ? 0 : 'denied');
      expect((await owner(`select from "${name}" ${of}`)).rows, name).toHaveLength(1);
    }
  });
});

describe('what visitors’ requests may do', () => {
  test('is to read at most, but for what a visitor changes', async () => {
    for (const { name, hasAccount } of tables) {
      if (!hasAccount && !ofNoOffice.includes(name)) {
        expect(await privilegesOn(name), name).toEqual([]);
        continue;
      }
      const allowed: readonly string[] = ['select', ...(written[name] ?? [])];
      expect(
        (await privilegesOn(name)).filter((privilege) => !allowed.includes(privilege)),
        name,
      ).toEqual([]);
    }
  });

  test('is written somewhere: no right to change a table is there without a statement that needs it', async () => {
    const sources = globSync('**/*.ts', {
      cwd: path.resolve(import.meta.dirname, '..'),
      exclude: ['**/*.test.ts', 'commands/**'],
    }).map((file) => readFileSync(path.resolve(import.meta.dirname, '..', file), 'utf8'));
    const functions = (
      await owner<{ text: string }>(
        `select prosrc as text from pg_proc where pronamespace = 'public'::regnamespace`,
      )
    ).rows.map(({ text }) => text);
    const code = [...sources, ...functions].join('\n');
    const statements: Readonly<Record<string, string>> = {
      insert: `(insert into|insertInto\\(')\\s*`,
      update: `(update|updateTable\\('|on conflict)\\s*`,
      delete: `(delete from|deleteFrom\\(')\\s*`,
    };
    for (const { name } of tables) {
      for (const privilege of await privilegesOn(name)) {
        const statement = statements[privilege];
        const pattern = new RegExp(`${statement}${name}\\b`, 'i');
        const upsert = new RegExp(
          `insert into\\s+${name}\\b[^;\`]*on conflict[^;\`]*do update`,
          'i',
        );
        if (statement === undefined || (privilege === 'update' && upsert.test(code))) continue;
        expect(code, `${privilege} on ${name}`).toMatch(pattern);
      }
    }
  });

  test('goes by no other way: the role owns nothing, inherits nothing, and calls what is named for it', async () => {
    const { rows } = await owner<Record<string, unknown>>(`
      select rolsuper, rolbypassrls, rolcreatedb, rolcreaterole,
        (select count(*)::int from pg_auth_members where member = r.oid) as memberships,
        (select count(*)::int from pg_class where relowner = r.oid) as owned
      from pg_roles r where rolname = 'beacon_api'`);
    expect(rows).toEqual([
      {
        rolsuper: false,
        rolbypassrls: false,
        rolcreatedb: false,
        rolcreaterole: false,
        memberships: 0,
        owned: 0,
      },
    ]);
    // Such a function sees every office. It is the role's alone, and finds no table that its caller put in the way: a
    // temporary one comes first unless the path names them last.
    const { rows: functions } = await owner<{
      name: string;
      acl: string;
      config: string;
      text: string;
    }>(`
      select proname as name, prosrc as text, coalesce(array_to_string(proacl, ' '), 'public') as acl, coalesce(array_to_string(proconfig, ' '), '') as config
      from pg_proc where pronamespace = 'public'::regnamespace and prosecdef`);
    expect(functions.length).toBeGreaterThan(3);
    const bareTable = /\b(from|join|into|update)\s+[a-z_]+\b(?!\.)/i;
    for (const { name, acl, config, text } of functions) {
      expect(acl, name).not.toMatch(/(^| )(=X|public)/);
      expect(config, name).toMatch(
        bareTable.test(text) ? /^search_path=public, pg_temp$/ : /^search_path=/,
      );
    }
    const { rows: open } = await owner<{ name: string }>(`
      select relname as name from pg_class c, aclexplode(relacl) a
      where relnamespace = 'public'::regnamespace and a.grantee = 0`);
    expect(open).toEqual([]);
  });
});
