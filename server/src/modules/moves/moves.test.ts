import { afterEach, beforeEach, expect, test } from 'vitest';
import { addBallot, addOffice, addVoter, type TestApi, typed } from '../../../../testing/api.ts';
import type { Beacon } from '../../../../testing/beacon.ts';
import { readCodeBlocks } from '../../../../testing/pages.ts';
import { pg } from '../../../../testing/sql.ts';
import { createTwoCells, type TwoCells } from '../../../../testing/two-cells.ts';
import { openWorkerDatabase } from '../../../../testing/worker-database.ts';
import { readConfig } from '../../platform/config.ts';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { startWorker } from '../../worker.ts';
import { tryBeginImport } from '../imports/index.ts';

let cells: TwoCells;
let east: TestApi;
let west: TestApi;
let adams: AccountId;
let voterId: VoterId;
let inEast: Beacon;
let inWest: Beacon;

/** East has adams and brown, west has clark; all have voters, and adams has what an office gathers. */
beforeEach(async () => {
  cells = await createTwoCells();
  ({ east, west, inEast, inWest } = cells);
  adams = await addOffice(east.test, { subdomain: 'adams' });
  voterId = await addVoter(east.test, adams, { lastname: 'Fox' });
  await addBallot(east.test, adams, voterId, { events: [{ status: 'sent', on: '2026-11-02' }] });
  await addVoter(east.test, await addOffice(east.test, { subdomain: 'brown' }), {
    lastname: 'Fox',
  });
});
afterEach(() => cells.close());

/** The first office of the west comes after the cell got its number. */
async function begin(): Promise<void> {
  await inWest.do('migrate', '--cell', '1');
  await addVoter(west.test, await addOffice(west.test, { subdomain: 'clark' }), {
    lastname: 'Fox',
  });
}

const signIn = (api: TestApi, office: string) =>
  api.browser(`${office}.localhost`).post('/api/voter/session', typed({ lastname: 'Fox' }));
const statusOf = async (api: TestApi, office: string) => (await signIn(api, office)).statusCode;

const tablesOf = (api: TestApi) =>
  api.query<{ name: string }>(`select c.relname as name from pg_class c
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'moved_accounts'
      and exists (select from pg_attribute a where a.attrelid = c.oid and attname = 'account_id') order by 1`);
/** Every row of an office, by table; of the record what was done before the move. */
async function readAll(api: TestApi): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const { name } of await tablesOf(api)) {
    const rows = await api.query<{ row: string }>(
      `select (to_jsonb(t) - 'content_version')::text as row from "${name}" t where account_id = $1 order by 1`,
      [adams],
    );
    all[name] = rows.map(({ row }) => row).filter((row) => !row.includes('account.move'));
  }
  return all;
}
const addMessages = (count: number) =>
  east.query(
    `insert into messages (account_id, kind, voter_id, channel, address, language, cause, deliver_after)
      select $1, 'change', $2, 'email', 'v' || n || '@mail.example', 'english', 'test:' || n, now() - interval '1 minute'
      from generate_series(1, $3) n`,
    [adams, voterId, count],
  );
const addFile = (office: string, state: 'file-held' | 'done') =>
  east.query(
    `insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at, rows_read, rows_refused, report)
      select account_id, 'f', 'roll.csv', '', $2, 'operator:a', now(), now(), 1, 0, '{}'
      from accounts where subdomain = $1`,
    [office, state],
  );
async function startWorkerOf(api: TestApi): Promise<{ stop(): Promise<void> }> {
  const database = await openWorkerDatabase(api.test.database);
  const worker = await startWorker({
    database,
    config: readConfig({ DEFAULT_ACCOUNT: '' }),
    log: createLog('silent'),
    secrets: createSecrets(['a test secret of thirty-two characters']),
    environment: {},
  });
  return { stop: () => worker.stop().then(() => database.close()) };
}

test('an office is in the other cell with every row under its number, and its voters go on there', async () => {
  await begin();
  expect(await statusOf(east, 'adams')).toBe(201);
  // What waits for approval in another office keeps nobody here, nor does what is done.
  await addFile('brown', 'file-held');
  await addFile('adams', 'done');
  const before = await readAll(east);
  expect(before).toMatchObject({ voters: [expect.anything()], sessions: [expect.anything()] });
  const commands = readCodeBlocks('operations/cells.md').filter(
    ({ heading }) => heading === 'Move an office',
  );
  expect(commands.map(({ text }) => text)).toEqual(['server/beacon account move adams\n']);
  expect(await inEast.do('account', 'move', 'adams')).toContain(
    'Account adams is in the other cell, which sends its messages from now on.',
  );
  expect(await readAll(west)).toEqual(before);
  expect(await statusOf(west, 'adams')).toBe(201);
  expect(await west.query(`select target from audit_log where action = 'account.move'`)).toEqual([
    { target: 'adams' },
  ]);

  // The old cell asks to come back in a little while and has nothing to show or to send; others notice nothing.
  const asked = await signIn(east, 'adams');
  expect([asked.statusCode, asked.headers['retry-after']]).toEqual([503, expect.anything()]);
  expect(await statusOf(east, 'brown')).toBe(201);
  // The host of every office knows of the one voter who stayed, not of the namesake whose rows are still here.
  const atBareHost = east
    .browser('localhost')
    .post('/api/voter/session', typed({ lastname: 'Fox' }));
  expect((await atBareHost).statusCode).toBe(201);
  expect(await statusOf(west, 'clark')).toBe(201);
  const worker = await openWorkerDatabase(east.test.database);
  const { rows } = await worker.systemPool.query('select subdomain from accounts');
  await worker.close();
  expect(rows).toEqual([{ subdomain: 'brown' }]);
  expect((await inEast.run('account', 'show', '--account', 'adams')).stderr).toContain(
    'Account adams does not exist.',
  );
});

test('new rows in the other cell get numbers that no row of either cell has', async () => {
  await begin();
  await inEast.do('account', 'move', 'adams');
  const [{ least } = { least: 0 }] = await west.query<{ least: number }>(
    `select min(voter_id) as least from voters where account_id <> ${adams}`,
  );
  expect(least).toBe(10_000_000_000);
  expect(await west.query(`select account_id from accounts where subdomain = 'clark'`)).toEqual([
    { account_id: 10_000_000 },
  ]);
  expect(await addVoter(west.test, adams, { lastname: 'Wu' })).toBeGreaterThan(10_000_000_000);
  await inWest.do('migrate');
  expect(await addVoter(west.test, adams, { lastname: 'Li' })).toBeGreaterThan(10_000_000_001);
  expect(await inWest.run('migrate', '--cell', '2')).toMatchObject({
    code: 1,
    stderr: 'This database is another cell already. Its number cannot change.\n',
  });
});

test('an office moves to a cell with a higher number alone: the record that came last is the one with the highest number', async () => {
  const record = (api: TestApi, status: string) =>
    api.query(
      `insert into ballot_events (account_id, ballot_id, kind, status)
        select account_id, ballot_id, 'office', $2 from ballots where account_id = $1`,
      [adams, status],
    );
  await begin();
  await inEast.do('migrate', '--cell', '2');
  await record(east, 'returned');
  expect(await inEast.run('account', 'move', 'adams')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The other cell has number 1, and this one has 2.'),
  });
  expect(await statusOf(east, 'adams')).toBe(201);
  await west.query('update cell set number = 3');
  await inWest.do('migrate');
  await inEast.do('account', 'move', 'adams');
  await record(west, 'accepted');
  const voter = west.browser('adams.localhost');
  await voter.post('/api/voter/session', typed({ lastname: 'Fox' }));
  const { ballots } = (await voter.get('/api/voter/ballot-status-progress/me')).json();
  expect(ballots[0].status_summary.current_status.status).toBe('accepted');
});

test('each message goes once, though both cells send all the while', async () => {
  await begin();
  await addMessages(400);
  const workers = [await startWorkerOf(east), await startWorkerOf(west)];
  const sent = async (api: TestApi) =>
    (await api.query<{ n: number }>('select count(*)::int as n from local_deliveries'))[0]?.n ?? 0;
  await expect.poll(() => sent(east), { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
  await inEast.do('account', 'move', 'adams');
  const atTheMove = await sent(east);
  // Long before the other cell's worker would look by itself.
  await expect.poll(() => sent(west), { timeout: 20_000, interval: 20 }).toBe(400);
  expect(await sent(east)).toBe(atTheMove);
  for (const worker of workers) await worker.stop();
  // Copies came along, so a message that went twice would be there twice or would be missing here.
  const [{ least, most } = { least: 0, most: 0 }] = await west.query<{
    least: number;
    most: number;
  }>(`select min(attempts)::int as least, max(attempts)::int as most from messages`);
  expect([least, most]).toEqual([1, 1]);
});

test('what a provider was given before the move gets its outcome first, and is given no more', async () => {
  await begin();
  await addMessages(2);
  await east.query(`update messages set state = 'sending', attempts = 1, claimed_at = now()
    where message_id = (select min(message_id) from messages)`);
  const worker = await openWorkerDatabase(east.test.database);
  const set = async (from: string, to: string) =>
    (await worker.systemPool.query(`update messages set state = '${to}' where state = '${from}'`))
      .rowCount;
  const moving = inEast.do('account', 'move', 'adams');
  try {
    const policies = async (like: string) =>
      (await east.query(`select from pg_policies where policyname like '${like}'`)).length;
    await expect.poll(() => policies('%_claims'), { timeout: 20_000, interval: 20 }).toBe(1);
    // Long enough for a move that does not wait.
    for (let visitor = 0; visitor < 20; visitor += 1)
      expect(await statusOf(east, 'adams')).toBe(503);
    expect(await policies(`moved_${adams}`)).toBe(0);
    expect([await set('created', 'sending'), await set('sending', 'delivered')]).toEqual([0, 1]);
  } finally {
    await Promise.allSettled([moving, worker.close()]);
  }
  expect(await west.query('select state from messages order by message_id')).toEqual([
    { state: 'delivered' },
    { state: 'created' },
  ]);
});

test('a move that ended half-way leaves the office closed; it goes on, or is undone', async () => {
  await begin();
  await inEast.do('account', 'move', 'brown');
  const before = await readAll(east);
  // Somebody took the number of this voter over there.
  await west.query(`insert into voters (account_id, voter_id, registration_id, lastname)
    overriding system value select max(account_id), ${voterId}, 'taken', 'Taken' from accounts`);
  await expect(inEast.run('account', 'move', 'adams')).rejects.toThrow('voters_pkey');
  expect(await statusOf(east, 'adams')).toBe(503);
  expect((await readAll(west)).accounts).toEqual([]);
  expect(await inEast.do('account', 'move', 'adams', '--undo')).toBe(
    'Account adams is open here again.\n',
  );
  expect(await readAll(east)).toEqual(before);
  expect([await statusOf(east, 'adams'), await statusOf(east, 'brown')]).toEqual([201, 503]);
  await west.query(`delete from voters where registration_id = 'taken'`);
  await inEast.do('account', 'move', 'adams');
  expect(await statusOf(west, 'adams')).toBe(201);
  const refuseUndo = async () =>
    expect(await inEast.run('account', 'move', 'adams', '--undo')).toMatchObject({
      code: 1,
      stderr: 'The other cell has account adams and serves it.\n',
    });
  await refuseUndo();
  // Called again, it finds everything done; also after an end between the two databases.
  await inEast.do('account', 'move', 'adams');
  await east.query('update moved_accounts set moved_at = null');
  await refuseUndo();
  await inEast.do('account', 'move', 'adams');
  await inEast.do('account', 'move', 'adams', '--delete-here');
});

test('it is refused, and nothing changes, between versions, without a number for the other cell, with an office of its name there, with a file that waits or is being imported, or beside a process with the owner’s login', async () => {
  const refused = async (reason: string) => {
    expect(await inEast.run('account', 'move', 'adams')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(reason),
    });
    expect(await statusOf(east, 'adams')).toBe(201);
  };
  await west.query(`insert into schema_migrations (name, sha256) values ('999-newer.sql', 'x')`);
  await refused('The two cells do not have the same version. Upgrade the older one first.');
  await west.query(`delete from schema_migrations where name = '999-newer.sql'`);
  await refused('The other cell has no number of its own');
  await begin();
  expect(await inEast.run('account', 'move', 'adams', '--undo', '--delete-here')).toEqual({
    ...{ code: 2, stdout: '', stderr: 'Use either --undo or --delete-here.\n' },
  });
  const [newest] = await west.query<{ name: string }>(
    'delete from schema_migrations where name = (select max(name) from schema_migrations) returning *',
  );
  await refused("The other cell's database is older than this version.");
  await west.query(
    'insert into schema_migrations select * from json_populate_record(null::schema_migrations, $1)',
    [JSON.stringify(newest)],
  );
  const namesake = await addOffice(west.test, { subdomain: 'adams' });
  await refused('The other cell has an account adams already.');
  await west.query(`update accounts set subdomain = 'namesake' where account_id = ${namesake}`);
  const owner = new pg.Client({ connectionString: east.test.url, application_name: 'a worker' });
  await owner.connect();
  await refused("A process uses this database by its owner's login");
  await owner.end();
  await expect
    .poll(() => east.query(`select from pg_stat_activity where application_name = 'a worker'`))
    .toEqual([]);
  await east.test.database.transaction(async (tx) => {
    expect(await tryBeginImport(tx, adams)).toBe(true);
    await refused('A file of account adams is being imported.');
  });
  await addFile('adams', 'file-held');
  await refused('A file of account adams waits for approval.');
});
