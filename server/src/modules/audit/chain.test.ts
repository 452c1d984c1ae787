import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '../../../../testing/api.ts';
import { createBeacon } from '../../../../testing/beacon.ts';
import { sql } from '../../../../testing/sql.ts';
import { openWorkerDatabase } from '../../../../testing/worker-database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import type { Database, Tx } from '../../platform/postgres.ts';
import { type Actor, exportAudit, extendAuditChain, recordAudit, verifyAudit } from './index.ts';

let api: TestApi;
/** By the login of a worker of production, which makes the chain. */
let worker: Database;
const log = createLog('silent');
beforeAll(async () => {
  api = await createTestApi();
  worker = await openWorkerDatabase(api.test.database);
});
afterAll(async () => {
  await worker.close();
  await api.close();
});
afterEach(() =>
  tamper((tx) => sql`truncate audit_log, audit_chain, audit_heads, audit_unchained`.execute(tx)),
);

/** As an owner who has turned the guards off. */
function tamper(work: (tx: Tx) => Promise<unknown>): Promise<unknown> {
  return api.test.database.transaction(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await work(tx);
  });
}

const entry = fc.record({
  actor: fc.constantFrom<Actor>('operator:ann', 'voter:7', 'system'),
  action: fc.constantFrom('file.import', 'message.release'),
  target: fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replaceAll('\0', '')),
  details: fc.dictionary(fc.constantFrom('a', 'b', 'é'), fc.oneof(fc.integer(), fc.constant('x'))),
});

const office = 1 as AccountId;

async function record(entries: readonly Parameters<typeof recordAudit>[2][], batch: number) {
  const { database } = api.test;
  for (const one of entries) await recordAudit(database.system, office, one);
  await extendAuditChain(worker, api.clock, log, batch);
}

async function exportLines(): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportAudit(api.test.database.system)) lines.push(line);
  return lines;
}

const faults = {
  alter: (tx: Tx, at: number) =>
    sql`update audit_log set details = details || '{"forged": 1}' where audit_id = (${idAt(at)})`.execute(
      tx,
    ),
  rename: (tx: Tx, at: number) =>
    sql`update audit_log set actor = 'operator:eve' where audit_id = (${idAt(at)})`.execute(tx),
  giveToOther: (tx: Tx, at: number) =>
    sql`update audit_log set account_id = account_id + 1 where audit_id = (${idAt(at)})`.execute(
      tx,
    ),
  excuse: (tx: Tx, at: number) =>
    sql`update audit_log set action = 'forged' where audit_id = (${idAt(at)})`.execute(tx),
  retarget: (tx: Tx, at: number) =>
    sql`update audit_log set target = target || '7' where audit_id = (${idAt(at)})`.execute(tx),
  postdate: (tx: Tx, at: number) =>
    sql`update audit_log set at = at + interval '1 microsecond' where audit_id = (${idAt(at)})`.execute(
      tx,
    ),
  remove: (tx: Tx, at: number) =>
    sql`delete from audit_log where audit_id = (${idAt(at)})`.execute(tx),
  removeWithLink: async (tx: Tx, at: number) => {
    await faults.remove(tx, at);
    await sql`delete from audit_chain where position = ${at}`.execute(tx);
  },
  cutOff: async (tx: Tx, at: number) => {
    await sql`delete from audit_log where audit_id in (select audit_id from audit_chain where position >= ${at})`.execute(
      tx,
    );
    await sql`delete from audit_chain where position >= ${at}`.execute(tx);
  },
  reorder: async (tx: Tx, at: number) => {
    const other = at === 1 ? 2 : at - 1;
    await sql`update audit_chain set audit_id = -audit_id where position in (${at}, ${other})`.execute(
      tx,
    );
    await sql`update audit_chain c set audit_id = -o.audit_id from audit_chain o
      where c.position in (${at}, ${other}) and o.position = ${at + other}::bigint - c.position`.execute(
      tx,
    );
  },
  add: (tx: Tx) =>
    sql`insert into audit_log (account_id, actor, action) values (1, 'system', 'forged')`.execute(
      tx,
    ),
};
const idAt = (position: number) =>
  sql`select audit_id from audit_chain where position = ${position}`;

test('the owner of the tables changes and deletes no entry, no link and no published head', async () => {
  for (const [table, column] of [
    ['audit_log', 'action'],
    ['audit_chain', 'hash'],
    ['audit_heads', 'hash'],
  ])
    for (const statement of [
      `update ${table} set ${column} = ${column}`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ])
      await expect(api.query(statement), statement).rejects.toThrow(`${table} is append-only`);
});

test('workers that extend the chain at the same moment link each entry once', async () => {
  for (let n = 0; n < 60; n += 1)
    await recordAudit(api.test.database.system, office, { actor: 'system', action: 'file.import' });
  await Promise.all(Array.from({ length: 4 }, () => extendAuditChain(worker, api.clock, log, 5)));
  expect(await verifyAudit(api.test.database.system)).toMatchObject({ entries: 60 });
});

test('whatever is altered, removed, moved or slipped in is found; what is whole is not', async () => {
  for (const fault of Object.keys(faults) as (keyof typeof faults)[])
    await fc.assert(
      fc
        .asyncProperty(
          fc.array(entry, { minLength: 2, maxLength: 12 }),
          fc.integer({ min: 1, max: 5 }),
          fc.nat(),
          async (entries, batch, where) => {
            await record(entries, batch);
            const { system } = api.test.database;
            expect(await verifyAudit(system)).toMatchObject({ entries: entries.length });
            await tamper((tx) => faults[fault](tx, 1 + (where % entries.length)));
            expect(await verifyAudit(system), fault).toHaveProperty('wrong');
          },
        )
        .afterEach(() =>
          tamper((tx) =>
            sql`truncate audit_log, audit_chain, audit_heads, audit_unchained`.execute(tx),
          ),
        ),
      { numRuns: 8 },
    );
});

test('a rewrite of the whole chain is found by a head that somebody kept', async () => {
  await record(
    [
      { actor: 'system', action: 'one' },
      { actor: 'system', action: 'two' },
    ],
    10,
  );
  const { heads } = (await api.app.inject('/api/audit-head')).json() as {
    heads: { day: string; position: number; hash: string }[];
  };
  expect(heads).toHaveLength(1);
  const kept = `${heads[0]?.position}:${heads[0]?.hash}`;
  const { system } = api.test.database;
  expect(await verifyAudit(system, kept)).toEqual({ entries: 2, head: kept });
  await tamper(async (tx) => {
    await sql`update audit_log set actor = 'operator:eve' where action = 'one'`.execute(tx);
    await sql`truncate audit_chain, audit_heads`.execute(tx);
    await sql`insert into audit_unchained select audit_id from audit_log`.execute(tx);
  });
  await extendAuditChain(worker, api.clock, log);
  expect(await verifyAudit(system)).toMatchObject({ entries: 2 });
  expect(await verifyAudit(system, kept)).toMatchObject({
    wrong: expect.stringContaining('published head'),
  });
});

test('each day has its head, and what was cut off after the newest is found', async () => {
  const { system } = api.test.database;
  const published = async () =>
    (await api.app.inject('/api/audit-head'))
      .json<{ heads: { day: string; position: number }[] }>()
      .heads.map(({ day, position }) => `${day} ${position}`);
  api.clock.set('2026-10-05T12:00:00Z');
  await record([{ actor: 'system', action: 'one' }], 10);
  api.clock.set('2026-10-06T00:00:00Z');
  await record([{ actor: 'system', action: 'two' }], 10);
  api.clock.advance(60_000);
  await record([{ actor: 'system', action: 'three' }], 10);
  expect(await published()).toEqual(['2026-10-06 2', '2026-10-05 1']);
  await tamper((tx) => faults.cutOff(tx, 2));
  expect(await verifyAudit(system)).toMatchObject({
    wrong: expect.stringContaining('published head 2:'),
  });
});

test('the commands verify the record, by a kept head too, and write the file to verify elsewhere', async () => {
  const beacon = createBeacon(api.test.url);
  await record(
    [
      { actor: 'system', action: 'one' },
      { actor: 'system', action: 'two' },
    ],
    10,
  );
  const lines = await exportLines();
  expect(await beacon.do('audit', 'export')).toBe(lines.map((line) => `${line}\n`).join(''));
  const [, hash = ''] = JSON.parse(lines[0] ?? '[]') as string[];
  for (const kept of [[], ['--head', `1:${hash}`]])
    expect(await beacon.do('audit', 'verify', ...kept)).toMatch(
      /^2 entries are as they were recorded\. Head 2:[0-9a-f]{64}\n$/,
    );
  // What the worker has yet to link was not added past the product.
  await recordAudit(api.test.database.system, office, { actor: 'system', action: 'three' });
  expect(await beacon.do('audit', 'verify')).toContain('2 entries are as they were recorded.');
  expect(await beacon.run('audit', 'verify', '--head', `2:${hash}`)).toEqual({
    code: 1,
    stdout: '',
    stderr: `The published head 2:${hash} is not in this file: entries were removed or rewritten.\n`,
  });
  await tamper((tx) => faults.rename(tx, 2));
  expect(await beacon.run('audit', 'verify')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Entry 2 was altered, or one before it was.\n',
  });
  beacon.remove();
});

test('a slip in a kept head is no word of removed entries', async () => {
  const beacon = createBeacon(api.test.url);
  const verifier = fileURLToPath(new URL('./verify-export.ts', import.meta.url));
  for (const slip of ['', 'x', '2', `2:${'a'.repeat(63)}`, `:${'a'.repeat(64)}`]) {
    const refused = await beacon.run('audit', 'verify', '--head', slip);
    expect(refused, slip).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringContaining('the position, a colon and the 64 digits of the hash'),
    });
    expect(spawnSync(process.execPath, [verifier, '/dev/null', slip]).status, slip).toBe(2);
  }
  beacon.remove();
});

test('anybody may keep the heads of more than a year, asked for once in five minutes', async () => {
  await record([{ actor: 'system', action: 'one' }], 10);
  await tamper((tx) =>
    sql`insert into audit_heads (day, position, hash)
      select '2025-01-01'::date + n, position, hash from audit_heads, generate_series(0, 398) as n`.execute(
      tx,
    ),
  );
  const answer = await api.app.inject('/api/audit-head');
  expect(answer.json<{ heads: object[] }>().heads).toHaveLength(400);
  expect(answer.headers['cache-control']).toBe('public, max-age=300');
});

test('the file to verify alone is found wrong when any of its lines is changed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'beacon-audit-'));
  const verifier = fileURLToPath(new URL('./verify-export.ts', import.meta.url));
  const run = (lines: readonly string[], head: string) => {
    const file = join(folder, 'audit.jsonl');
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
    return spawnSync(process.execPath, [verifier, file, head], { encoding: 'utf8', env: {} });
  };
  await record(
    ['a', 'b', 'c'].map((target) => ({ actor: 'system', action: 'act', target })),
    2,
  );
  const whole = await exportLines();
  const [, last = ''] = JSON.parse(whole[2] ?? '[]') as string[];
  const head = `3:${last}`;
  expect(run(whole, head)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('3 entries'),
  });
  const [first = '', second = '', third = ''] = whole;
  for (const wrong of [
    [first, third, second],
    [first, third],
    [first, second],
    [first, second.replace('"b"', '"x"'), third],
    [first, 'nonsense', third],
  ])
    expect(run(wrong, head)).toMatchObject({ status: 1 });
  rmSync(folder, { recursive: true });
});

test('entries of transactions that end in any order are all linked, while others go on writing', async () => {
  const { database } = api.test;
  const slow = database.transaction(async (tx) => {
    await recordAudit(tx, office, { actor: 'system', action: 'slow' });
    await Promise.all(
      Array.from({ length: 20 }, () =>
        recordAudit(database.system, office, { actor: 'system', action: 'quick' }),
      ),
    );
    await extendAuditChain(worker, api.clock, log);
  });
  await slow;
  await Promise.all([1, 2, 3].map(() => extendAuditChain(worker, api.clock, log)));
  expect(await verifyAudit(database.system)).toMatchObject({ entries: 21 });
});
