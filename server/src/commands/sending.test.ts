import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, addVoter } from '../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';
import { sql } from '../../../testing/sql.ts';

let office: TestOffice;
let beacon: Beacon;
const adams = ['--account', 'adams'];

beforeEach(async () => {
  office = await createTestOffice({ daily_request_limits: { sms: 2 } });
  beacon = createBeacon(office.db.url);
  const { accountId, timeZone } = office.account;
  await sql`insert into daily_requests (account_id, day, email, sms)
    values (${accountId}, (now() at time zone ${timeZone})::date, 7, 5)`.execute(
    office.db.database.system,
  );
  await sql`insert into messages (account_id, kind, channel, address, language, cause, deliver_after, created_at, state,
      error_code)
    select ${accountId}::integer, 'opt-in', 'sms', '+1352555010' || n, 'english', 'save:' || n, now() - interval '4 days',
      now() - interval '4 days', 'held', 'daily-limit'
    from generate_series(1, 3) n`.execute(office.db.database.system);
});
afterEach(async () => {
  beacon.remove();
  await office.close();
});

const states = async () =>
  (
    await sql<{ state: string; error_code: string | null; is_fresh: boolean; is_late: boolean }>`
      select distinct state, error_code, created_at > now() - interval '1 day' as is_fresh,
        deliver_after < now() - interval '1 day' as is_late
      from messages`.execute(office.db.database.system)
  ).rows;
const today = async () =>
  (
    await sql<{ sms: number; email: number }>`select sms, email from daily_requests`.execute(
      office.db.database.system,
    )
  ).rows[0];

test('shows the requests of today, the limit and what waits, and ends with 1 while anything waits', async () => {
  const { code, stdout } = await beacon.run('sending', 'show', ...adams);
  expect(code).toBe(1);
  expect(stdout).toBe(
    [
      'email  7 of 20000 requests today',
      'sms    5 of 2 requests today, 3 waiting for you: beacon sending resume --account adams --channel sms --by NAME',
      'voice  0 of 5000 requests today',
      '',
    ].join('\n'),
  );
  const { stdout: json } = await beacon.run('sending', 'show', ...adams, '--json');
  expect(JSON.parse(json)).toContainEqual({ channel: 'sms', today: 5, limit: 2, waiting: 3 });
});

test('resumes: what waited is sent as if it were new, counting starts again, and it is on record', async () => {
  const said = await beacon.do('sending', 'resume', ...adams, '--channel', 'sms', '--by', 'Ann');
  expect(said).toBe('3 waiting sms requests will be sent. Today’s count starts from zero.\n');
  // It became due by the decision, and is not late for what it waited.
  expect(await states()).toEqual([
    { state: 'created', error_code: null, is_fresh: true, is_late: false },
  ]);
  expect(await today()).toEqual({ sms: 0, email: 7 });
  expect((await beacon.run('sending', 'show', ...adams)).code).toBe(0);
  const audit = await beacon.do('audit', ...adams, '--json');
  expect(JSON.parse(audit)[0]).toMatchObject({
    actor: 'operator:Ann',
    action: 'sending.resume',
    target: 'sms',
    details: { messages: 3, discarded: false, run_as: 'operator:tester' },
  });
});

test('discards: an attack’s requests never go out', async () => {
  const said = await beacon.do(
    ...['sending', 'resume', ...adams, '--channel', 'sms', '--by', 'Ann', '--discard'],
  );
  expect(said).toContain('3 waiting sms requests were discarded.');
  expect(await states()).toEqual([
    { state: 'withdrawn', error_code: 'daily-limit', is_fresh: false, is_late: true },
  ]);
});

test.each([['--discard'], []])(
  'of one office, channel and reason leaves all others as they are: %j',
  async (...more) => {
    const lake = await addOffice(office.db, { subdomain: 'lake' });
    const { system } = office.db.database;
    await sql`insert into daily_requests (account_id, day, email, sms)
      select ${lake}::integer, day, 3, 4 from daily_requests
      union all select account_id, day - 1, 5, 6 from daily_requests`.execute(system);
    const addWaiting = (cause: string, channel: string, code: string, accountId: number) =>
      sql`insert into messages (account_id, kind, channel, address, language, cause, deliver_after, created_at, state, error_code)
        values (${accountId}, 'opt-in', ${channel}, '+13525550199', 'english', ${cause}, now(), now() - interval '4 days', 'held', ${code})`.execute(
        system,
      );
    const { accountId } = office.account;
    await addWaiting('of lake', 'sms', 'daily-limit', lake);
    await addWaiting('by email', 'email', 'daily-limit', accountId);
    await addWaiting('of an import', 'sms', 'import-held', accountId);
    const shown = JSON.parse(
      await beacon.run('sending', 'show', ...adams, '--json').then(({ stdout }) => stdout),
    );
    expect(
      shown.map(({ today: count, waiting }: Record<string, number>) => [count, waiting]),
    ).toEqual([
      ...[
        [7, 1],
        [5, 3],
        [0, 0],
      ],
    ]);
    await beacon.do('sending', 'resume', ...adams, '--channel', 'sms', '--by', 'Ann', ...more);
    const { rows: waiting } = await sql<{ cause: string }>`
      select cause from messages where state = 'held' order by cause`.execute(system);
    expect(waiting.map(({ cause }) => cause)).toEqual(['by email', 'of an import', 'of lake']);
    const { rows: counts } = await sql<{ count: string }>`
      select email || ' ' || sms as count from daily_requests order by 1`.execute(system);
    expect(counts.map(({ count }) => count)).toEqual(['3 4', '5 6', '7 0']);
  },
);

// At every moment it is another day than in UTC in one of them.
test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
  'the count that starts again is that of the office’s local date, in %s',
  async (timeZone) => {
    const { system } = office.db.database;
    const accountId = await addOffice(office.db, { subdomain: 'far', time_zone: timeZone });
    await sql`insert into daily_requests (account_id, day, sms)
      select ${accountId}::integer, (now() at time zone ${timeZone})::date - n, 5 + n from generate_series(-1, 1) n`.execute(
      system,
    );
    const far = ['--account', 'far'];
    await beacon.do('sending', 'resume', ...far, '--channel', 'sms', '--by', 'Ann');
    const { rows } = await sql<{ sms: number }>`
      select sms from daily_requests where account_id = ${accountId} order by day`.execute(system);
    expect(rows.map(({ sms }) => sms)).toEqual([6, 0, 4]);
    expect(await beacon.do('sending', 'show', ...far)).toContain('sms    0 of ');
  },
);

test('refuses a channel that does not exist, and an approval by nobody', async () => {
  const resume = (...more: string[]) => beacon.run('sending', 'resume', ...adams, ...more);
  expect(await resume('--channel', 'fax', '--by', 'Ann')).toMatchObject({ code: 2 });
  expect(await resume('--channel', 'sms', '--by', ' ')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--by needs the name of the person who approves.'),
  });
});

test('shows what waits to leave, by sender, with the parts of its texts and the last moment', async () => {
  const { accountId } = office.account;
  const { database } = office.db;
  expect(await beacon.do('sending', 'queue', ...adams)).toBe('No message waits.\n');
  await sql`update accounts set settings = settings || '{"sending_limits": {"sms": {"kind": "toll-free"}}}'`.execute(
    database.system,
  );
  await sql`insert into messages (account_id, kind, channel, address, language, cause, deliver_after, is_answer)
    select ${accountId}::integer, 'help', 'sms', '+1352555' || n, 'english', 'help:' || n, now(), true from generate_series(1000, 1999) n
    union all select ${accountId}::integer, 'change', 'email', n || '@mail.example', 'english', 'change:' || n, now(), false from generate_series(1, 5) n`.execute(
    database.system,
  );
  const said = await beacon.do('sending', 'queue', ...adams);
  expect(said).toMatch(
    /^email {2}relay {2}5 messages\. The last message leaves within a minute\.$/m,
  );
  expect(said).toMatch(
    /^sms {4}41575 {2}1,000 messages\. The last message leaves about \w{3} \d{1,2}, \d{1,2}:\d\d [AP]M\.$/m,
  );
  const json = JSON.parse(await beacon.do('sending', 'queue', ...adams, '--json'));
  const texts = json.find((one: { channel: string }) => one.channel === 'sms');
  expect(texts).toMatchObject({ sender: '41575', messages: 1_000, parts: 1_000, too_old: 0 });
  const seconds = (Date.parse(texts.latest_end) - Date.now()) / 1_000;
  // Three parts a second.
  expect(Math.abs(seconds - 1_000 / 3)).toBeLessThan(60);

  // What another office sends by a number of its own is none of ours.
  const lake = await addOffice(office.db, { subdomain: 'lake', short_code: '41576' });
  await sql`insert into messages (account_id, kind, channel, address, language, cause, deliver_after, is_answer)
    values (${lake}, 'help', 'sms', '+13525551000', 'english', 'help:lake', now(), true)`.execute(
    database.system,
  );
  expect(await beacon.do('sending', 'queue', ...adams)).not.toContain('41576');
  expect(await beacon.do('sending', 'queue', '--account', 'lake')).toContain('41576  1 messages');
  // Arabic takes three parts, and a question is never too old.
  await sql`insert into messages (account_id, kind, channel, address, language, cause, deliver_after, is_answer, created_at)
    select ${lake}::integer, 'help', 'sms', '+1352555' || n, 'arabic', 'help:' || n, now(), true, now() from generate_series(2000, 2009) n
    union all values (${lake}::integer, 'opt-in', 'sms', '+13525551001', 'english', 'save', now(), true, now() - interval '4 days')`.execute(
    database.system,
  );
  const lakes = JSON.parse(await beacon.do('sending', 'queue', '--account', 'lake', '--json')).find(
    (one: { sender: string }) => one.sender === '41576',
  );
  expect(lakes).toMatchObject({ messages: 12, too_old: 0 });
  expect(lakes.parts).toBe(2 + 3 * 10);
});

test('measures texts by the words and the voters of their own office, and nothing but texts', async () => {
  const { accountId } = office.account;
  const lake = await addOffice(office.db, { subdomain: 'lake', short_code: '41576' });
  const add = async (owner: number, firstname: string, message: string) => {
    const voter = await addVoter(office.db, owner as typeof accountId, { firstname });
    const [kind, status, channel, language] = message.split(' ');
    await sql`insert into messages (account_id, voter_id, kind, status, channel, address, language, cause, deliver_after)
      values (${owner}, ${voter}, ${kind}, nullif(${status}, '-'), ${channel}, 'to', ${language}, ${voter}::text, now())`.execute(
      office.db.database.system,
    );
  };
  await add(accountId, 'Ann', 'status sent sms english');
  // In one part it has room for the words of an office that reports counted ballots, and not for this one's.
  await add(accountId, 'x'.repeat(30), 'status accepted sms english');
  await add(accountId, 'Ann', 'change - email arabic');
  await add(lake, 'x'.repeat(150), 'status sent sms english');
  await add(accountId, 'x'.repeat(150), 'status sent email english');
  const queue = JSON.parse(await beacon.do('sending', 'queue', ...adams, '--json'));
  const parts = queue.map((one: { channel: string; parts: number }) => [one.channel, one.parts]);
  expect(Object.fromEntries(parts)).toEqual({ sms: 1 + 2, email: 2 });
});
