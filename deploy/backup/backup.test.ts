import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startMessageDelivery } from '../../server/src/modules/notifications/index.ts';
import { localDay } from '../../server/src/platform/clock.ts';
import { createLog } from '../../server/src/platform/log.ts';
import { ensurePageIsBuilt } from '../../server/src/platform/page-build.ts';
import { type Database, openDatabase } from '../../server/src/platform/postgres.ts';
import { createSecrets } from '../../server/src/platform/secrets.ts';
import { type Beacon, createBeacon } from '../../testing/beacon.ts';
import { createMessageCounty, type MessageCounty } from '../../testing/messages.ts';
import { readCodeBlocks } from '../../testing/pages.ts';
import { pg, sql } from '../../testing/sql.ts';
import { openWorkerDatabase } from '../../testing/worker-database.ts';

const root = path.resolve(import.meta.dirname, '../..');
const owner = `restored_owner_${process.pid}`;
/** Three whose message left before the backup, two that wait in it, two of the file after it, and one of the next day. */
const voters = Array.from({ length: 8 }, (_, index) => `V${index + 1}`);

let county: MessageCounty;
let folder: string;
let backup: string;
/** References under which each address got a mail, from any database. */
const mails = new Map<string, string[]>();
let smtp: SMTPServer;
const cleanups: (() => Promise<unknown> | unknown)[] = [];
const workers: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-backup-test-'));
  smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const [to] = session.envelope.rcptTo.map(({ address }) => address);
        const [, reference] =
          /^X-Beacon-Message: (\S+)/m.exec(Buffer.concat(parts).toString()) ?? [];
        mails.set(to ?? '', [...(mails.get(to ?? '') ?? []), reference ?? '']);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  county = await createMessageCounty(voters, { now: new Date().toISOString() });
  // By the clock of the machine, a month before its election.
  await sql`update elections set election_date = current_date + 30`.execute(county.database.system);
  await asAdmin(`create role ${owner} login`);
  await loseDatabase();
});
afterEach(stopWorkers);
afterAll(async () => {
  await stopWorkers();
  for (const cleanUp of cleanups.reverse()) await cleanUp();
  await asAdmin(`drop role ${owner}`);
  await county.drop();
  await new Promise<void>((resolve) => smtp.close(resolve));
  rmSync(folder, { recursive: true });
});

/** A worker takes what is due to the mail server, and more comes after the backup, up to the moment of the loss. */
async function loseDatabase(): Promise<void> {
  for (const voter of voters) await county.optIn(voter, { email: addressOf(voter) });
  await county.importBallots(rowsOf('V1', 'V2', 'V3'));
  await startWorker(county.database);
  await untilMailed(3);
  await stopWorkers();
  await county.importBallots(rowsOf('V4', 'V5'));
  // Its worker died while the mail server had it.
  await county.database.systemPool.query(
    `update messages set state = 'sending', attempts = 1, provider = 'smtp', claimed_at = now() - interval '2 minutes' where address = $1`,
    [addressOf('V5')],
  );
  const stamp = path.join(folder, 'stamp');
  for (const [name, days] of [
    ['beacon-20200101T021000Z.dump', 16],
    ['beacon-20200102T021000Z.dump', 13],
    ['notes-of-the-operator', 400],
  ] as const) {
    writeFileSync(path.join(folder, name), '');
    const at = new Date(Date.now() - days * 86_400_000);
    utimesSync(path.join(folder, name), at, at);
  }
  backup = follow('A dump each night', 'backup.sh', county.url, [
    ['/var/backups/ballot-beacon', folder],
    ['/var/lib/ballot-beacon/backup-stamp', stamp],
  ]).trim();
  expect(statSync(stamp).isFile()).toBe(true);
  await startWorker(county.database);
  await county.importBallots(rowsOf('V6', 'V7'));
  await untilMailed(7);
  await stopWorkers();
}

const addressOf = (voter: string) => `${voter.toLowerCase()}@mail.example`;
const today = () => localDay(new Date(), county.account.timeZone);
const rowsOf = (...ids: string[]) =>
  ids.map((voter) => ({ voter, status: 'Outbound', mailed: today() }) as const);
const environment = (url: string) => ({ PATH: process.env.PATH, DATABASE_URL: url });

/** Runs a block of the page as an operator does, with what stands here for its names. @returns what it prints */
function follow(
  heading: string,
  word: string,
  url: string,
  here: readonly (readonly [text: string, by: string])[],
): string {
  const block = readCodeBlocks('operations/backup.md').find(
    (each) => each.heading === heading && each.text.includes(word),
  );
  if (!block) throw new Error(`The page has no block with ${word}.`);
  const text = here.reduce((changed, [from, to]) => changed.replaceAll(from, to), block.text);
  const admin = new pg.Client({ connectionString: county.url });
  return execFileSync('sh', ['-c', text], {
    ...{ cwd: root, encoding: 'utf8' },
    env: {
      ...{ ...environment(url), ADMIN_URL: county.url, DATABASE_OFFICE_URL: url },
      ...{ PGHOST: admin.host, PGPORT: String(admin.port), PGUSER: admin.user },
    },
  });
}

async function asAdmin(statement: string, url = county.url): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

async function startWorker(database: Database): Promise<string[]> {
  const own = await openWorkerDatabase(database);
  const lines: string[] = [];
  const worker = await startMessageDelivery({
    database: own,
    config: county.config,
    clock: { now: () => new Date() },
    log: createLog('error', { write: (line: string) => void lines.push(line) }),
    secrets: createSecrets(['a test secret of thirty-two characters']),
    settings: {
      TWILIO_API_URL: 'https://api.twilio.com',
      SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    },
  });
  workers.push({
    async stop() {
      await worker.stop();
      await own.close();
    },
  });
  return lines;
}

async function stopWorkers(): Promise<void> {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
}

const countMails = () => [...mails.values()].flat().length;
const untilMailed = (count: number) =>
  vi.waitFor(() => expect(countMails()).toBe(count), { timeout: 30_000 });

/** Restores the backup as its page says: by an owner who is no superuser, to a new database. */
async function restore(name: string): Promise<{ database: Database; beacon: Beacon; url: string }> {
  const database = `${new URL(county.url.replace('@/', '@x/')).pathname.slice(1)}_${name}`;
  cleanups.push(() => asAdmin(`drop database ${database} with (force)`));
  const url = county.url.replace(/:\/\/[^@]*@\/[^?]*/, `://${owner}@/${database}`);
  follow('Restore', 'createdb', url, [
    ['beacon_owner beacon', `${owner} ${database}`],
    ['/var/backups/ballot-beacon/beacon-20261103T020000Z.dump', backup],
  ]);
  const beacon = createBeacon(url);
  const opened = openDatabase(url, { connections: 4 });
  cleanups.push(() => beacon.remove());
  cleanups.push(() => opened.close());
  return { database: opened, beacon, url };
}

async function readStates(database: Database): Promise<Record<string, string>> {
  const { rows } = await database.systemPool.query<{ address: string; state: string }>(
    `select address, replace(state::text, 'held', 'waiting') || coalesce(' ' || error_code, '') as state
      from messages order by message_id`,
  );
  return Object.fromEntries(rows.map(({ address, state }) => [address.split('@')[0], state]));
}

async function readNumbers(database: Database): Promise<number[]> {
  const { rows } = await database.systemPool.query<{ number: number }>(
    'select message_id as number from messages order by message_id',
  );
  return rows.map(({ number }) => number);
}

async function addSession(database: Database): Promise<void> {
  await database.systemPool.query(
    `insert into sessions (account_id, session_hash, voter_id, created_at, last_active_at, expires_at)
     select account_id, sha256('a'), voter_id, now(), now(), now() + interval '1 hour' from voters limit 1`,
  );
}

const countSessions = async (database: Database) =>
  (await database.systemPool.query('select from sessions')).rowCount;

function writeBallots(beacon: Beacon, name: string, ...ids: string[]): string {
  const columns =
    'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,VbmRequestPrecinct,VbmParty,RejectionReason,RejectionDescription,IsReinstated,IsSignatureRelatedReason';
  const rows = ids.map((id) => `100,${id},Outbound,${today()},,1,,,,FALSE,FALSE`);
  return beacon.write(name, `${[columns, ...rows].join('\n')}\n`);
}

test('after a loss nobody gets a message twice, and the next news leaves as usual', async () => {
  const { database, beacon, url } = await restore('restored');
  const before = countMails();
  // Somebody starts the worker too early.
  const lines = await startWorker(database);
  await expect
    .poll(() => lines.filter((line) => line.includes('sending.refused')).length, {
      timeout: 30_000,
    })
    .toBeGreaterThanOrEqual(3);
  expect(countMails()).toBe(before);

  await addSession(database);
  const begun = follow('Restore', 'restore begin', url, [
    ['2026-11-03T14:05:00Z', new Date().toISOString()],
  ]);
  expect(begun).toContain('1 wait for you, 1 ended as outcome-unknown');
  // Who signed out after the backup was made is signed in no more.
  expect(await countSessions(database)).toBe(0);
  const file = writeBallots(beacon, 'again.csv', 'V6', 'V7');
  await beacon.do('import', file, '--account', 'adams', '--format', 'voter-focus-ballots');
  await expect
    .poll(() => readStates(database), { timeout: 30_000 })
    .toEqual({
      ...{ v1: 'sent', v2: 'sent', v3: 'sent', v5: 'outcome-unknown restored' },
      ...{ v4: 'waiting restored', v6: 'waiting restored', v7: 'waiting restored' },
    });
  expect((await beacon.run('restore', 'show')).code).toBe(1);
  expect(follow('Restore', 'restore show', url, [])).toMatch(/3 messages wait.*3 messages ended/s);
  const finish = ['restore', 'finish', '--account', 'adams', '--by', 'Ada'];
  expect(await beacon.run(...finish)).toMatchObject({
    ...{ code: 2, stderr: 'Use --discard or --send.\n' },
  });
  expect(await beacon.run(...finish, '--discard')).toMatchObject({ code: 1 });
  const next = writeBallots(beacon, 'next.csv', 'V8');
  await beacon.do('import', next, '--account', 'adams', '--format', 'voter-focus-ballots');
  await untilMailed(before + 1);
  expect([...mails.keys()].sort()).toEqual(voters.map(addressOf));
  // A provider that knows a number takes the message for a repeat and drops it; a voter's code would confirm another one.
  const lost = await readNumbers(county.database);
  const numbers = await readNumbers(database);
  expect(numbers.filter((number) => lost.includes(number))).toHaveLength(5);
});

test('after a move, for which every process had ended, what waited leaves from the new database', async () => {
  const { database, beacon } = await restore('moved');
  const before = countMails();
  await addSession(database);
  const begin = ['restore', 'begin', '--nothing-lost'];
  expect(await beacon.run(...begin)).toMatchObject({ code: 2 });
  expect(await beacon.do(...begin, '--by', 'Ada')).toContain('is sent');
  // Nobody who is signed in notices.
  expect(await countSessions(database)).toBe(1);
  await startWorker(database);
  await untilMailed(before + 2);
  expect(mails.get(addressOf('V4'))).toHaveLength(2);
});

test('the drill ends with voters who sign in', async () => {
  await ensurePageIsBuilt();
  const printed = follow('The drill', 'drill.ts', county.url, [
    ['node_modules/node/bin/node', process.execPath],
    ['FILE', backup],
    ['postgresql://ADMIN:PASSWORD@SERVER/postgres', county.url],
    ['--voters 20', '--voters 5'],
  ]);
  expect(printed.trim().split('\n').at(-1)).toBe('5 voters sign in, nothing is sent twice');
});

test('a backup is for its owner alone, and is restored only to an empty database', async () => {
  expect(statSync(backup).mode & 0o077).toBe(0);
  // Of earlier ones those of two weeks are kept.
  expect(
    readdirSync(folder)
      .filter((name) => /^(beacon|notes)-/.test(name))
      .sort(),
  ).toEqual(['beacon-20200102T021000Z.dump', path.basename(backup), 'notes-of-the-operator']);
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  const refused = spawnSync(path.join(root, 'deploy/backup/restore.sh'), [backup], {
    env: { ...environment(county.url), ADMIN_URL: county.url },
    encoding: 'utf8',
  });
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('is not empty') });
});

test('the roles that a backup needs are all that the schema refers to', () => {
  const schema = readFileSync(path.join(root, 'database/schema.sql'), 'utf8');
  const roles = readFileSync(path.join(root, 'deploy/backup/roles.sql'), 'utf8');
  const referred = new Set(schema.match(/(?<=\bto )beacon_[a-z]+/g));
  const made = new Set(roles.match(/(?<=')beacon_[a-z]+(?=')/g));
  expect([...made].sort()).toEqual([...referred].sort());
});
