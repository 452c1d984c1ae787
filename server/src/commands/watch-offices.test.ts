import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Beacon, type CommandResult, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';
import { sql } from '../../../testing/sql.ts';

let office: TestOffice;
let beacon: Beacon;
let root: string;
let running: { child: ChildProcess; result: Promise<CommandResult> } | undefined;

beforeEach(async () => {
  office = await createTestOffice();
  beacon = createBeacon(office.db.url);
  root = join(beacon.folder, 'sftp');
  await addAccount('lake');
});
afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.result;
  running = undefined;
  beacon.remove();
  await office.close();
});

const soon = ['--offices', '--settle', '0.3', '--every', '0.1'];

async function addAccount(subdomain: string): Promise<void> {
  const account = {
    ...{ subdomain, name: `${subdomain} Elections`, county: subdomain, state: 'FL' },
    ...{ time_zone: 'America/New_York', languages: ['english'] },
  };
  await beacon.do('account', 'apply', beacon.write(`${subdomain}.json`, JSON.stringify(account)));
}

const inbox = (subdomain: string) => join(root, subdomain, 'exports');

function drop(subdomain: string, name: string, ...ids: string[]): void {
  mkdirSync(inbox(subdomain), { recursive: true });
  const rows = ids.map((id) => `${id},Ann,Lee,01/02/1950,99301\n`).join('');
  writeFileSync(
    join(inbox(subdomain), name),
    `registration_id,firstname,lastname,birthdate,zipcode\n${rows}`,
  );
}

/** Each voter with its office. */
async function voters(): Promise<string[]> {
  const { rows } = await sql<{ voter: string }>`
    select subdomain || ' ' || registration_id as voter from voters join accounts using (account_id)
    order by 1`.execute(office.db.database.system);
  return rows.map(({ voter }) => voter);
}

function filed(subdomain: string): string[] {
  const done = join(inbox(subdomain), 'done');
  return existsSync(done) ? readdirSync(done).filter((name) => /Z-\w+\.csv$/.test(name)) : [];
}

test('each office’s folder is its own account’s, and what is wrong with one stops no other', async () => {
  drop('adams', 'roll.csv', '1', '2');
  drop('lake', 'roll.csv', '1', '7');
  drop('nobody', 'roll.csv', '9');
  // A link to another office's folder, and a folder without an inbox, are no offices.
  symlinkSync(join(root, 'adams'), join(root, 'alias'));
  mkdirSync(join(root, 'empty'));
  const { code, stdout, stderr } = await beacon.run('watch', root, ...soon, '--once');
  expect(await voters()).toEqual(['adams 1', 'adams 2', 'lake 1', 'lake 7']);
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Account nobody does not exist'),
  });
  expect(stdout).toMatch(/adams\/exports\/done\/.*roll\.csv/);
  expect(existsSync(join(inbox('nobody'), 'roll.csv'))).toBe(true);
});

test('one process goes on with all of them, and finds an office that joins', async () => {
  drop('adams', 'first.csv', '1');
  drop('nobody', 'roll.csv', '9');
  running = beacon.start('watch', root, ...soon);
  const until = (what: () => unknown) => expect.poll(what, { timeout: 60_000, interval: 50 });
  await until(() => filed('adams')).toHaveLength(1);
  drop('lake', 'first.csv', '5');
  await until(() => filed('lake')).toHaveLength(1);
  await addAccount('nobody');
  await until(() => filed('nobody')).toHaveLength(1);
  drop('adams', 'second.csv', '1', '2');
  await until(() => filed('adams')).toHaveLength(2);
  running.child.kill('SIGTERM');
  const { code, stdout } = await running.result;
  expect(code).toBe(0);
  expect(await voters()).toEqual(['adams 1', 'adams 2', 'lake 5', 'nobody 9']);
  const unusable = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string; account?: string })
    .filter(({ event }) => event === 'watch.unusable');
  expect(new Set(unusable.map(({ account }) => account))).toEqual(new Set(['nobody']));
});

test.each([
  [['--account', 'adams', '--offices'], 'either --account or --offices'],
  [[], 'either --account or --offices'],
  [['--offices', '--election', '7'], '--election is for one office'],
])('says what does not go together: %j', async (options, words) => {
  mkdirSync(root);
  const { code, stderr } = await beacon.run('watch', root, ...options);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(words) });
});

test('a folder that is not there is said at once', async () => {
  const { code, stderr } = await beacon.run('watch', root, ...soon);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('cannot be watched (ENOENT)'),
  });
});
