import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { createBeacon } from '../../../../testing/beacon.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { publishWaitingImports } from './index.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

async function addFile(accountId: number, format: string, hoursAgo: number, state = 'done') {
  await api.query(
    `insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at,
       rows_read, rows_refused, report)
     values ($1, $2, 'f.csv', '\\x00', $3, 'o', $4, $4, 1, 0, '{}')`,
    [accountId, format, state, new Date(api.clock.now().getTime() - hoursAgo * 3_600_000)],
  );
}

async function gauges(): Promise<string[]> {
  const { statusCode, body } = await api.app.inject({ url: '/metrics' });
  expect(statusCode).toBe(200);
  return body.split('\n').filter((line) => line.startsWith('beacon_feed_'));
}

const ballots = 'voter-focus-ballots';

test('metrics show an office’s file that is late or never came', async () => {
  const adams = await addOffice(api.test, {
    subdomain: 'adams',
    feeds: { [ballots]: { every_hours: 24 }, 'iv-mtr-json': { every_hours: 2 } },
  });
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  expect(await gauges()).toContain(
    `beacon_feed_age_seconds{account="adams",format="${ballots}"} +Inf`,
  );

  await addFile(adams, ballots, 30);
  await addFile(adams, ballots, 6, 'messages-held');
  for (const state of ['refused', 'file-held', 'discarded', 'corrected'])
    await addFile(adams, ballots, 1, state);
  await addFile(lake, 'beacon-voters', 2);
  for (const [name, hoursAgo] of [
    ['our-own-a', 3],
    ['our-own-b', 5],
  ] as const)
    await addFile(lake, name, hoursAgo);
  expect(await gauges()).toEqual([
    'beacon_feed_age_seconds{account="adams",format="iv-mtr-json"} +Inf',
    `beacon_feed_age_seconds{account="adams",format="${ballots}"} 21600`,
    'beacon_feed_age_seconds{account="lake",format="beacon-voters"} 7200',
    // The number of labels stays small, however many formats an office writes: the newest file counts.
    'beacon_feed_age_seconds{account="lake",format="other"} 10800',
    'beacon_feed_expected_seconds{account="adams",format="iv-mtr-json"} 7200',
    `beacon_feed_expected_seconds{account="adams",format="${ballots}"} 86400`,
  ]);

  // What an office expects no more is shown no more.
  await addOffice(api.test, { subdomain: 'adams', feeds: {} });
  expect((await gauges()).filter((line) => line.includes('adams'))).toEqual([
    `beacon_feed_age_seconds{account="adams",format="${ballots}"} 21600`,
  ]);
});

test('metrics show how many imports of each office wait, and for how long the oldest', async () => {
  const adams = await addOffice(api.test, { subdomain: 'adams' });
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  for (const hours of [3, 9, 1]) await addFile(adams, ballots, hours, 'messages-held');
  await addFile(adams, ballots, 5, 'file-held');
  await addFile(adams, ballots, 99);
  for (const hours of [2, 4]) await addFile(lake, ballots, hours, 'file-held');
  // As the worker counts.
  const metrics = createMetrics();
  await publishWaitingImports(metrics, api.test.database, api.clock);
  const body = await metrics.registry.metrics();
  const waiting = body.split('\n').filter((line) => /^beacon_\w*waiting_import\w*\{/.test(line));
  expect(waiting.map((line) => line.replace(/^beacon_/, '')).sort()).toEqual([
    'waiting_import_age_seconds{account="adams",state="file-held"} 18000',
    'waiting_import_age_seconds{account="adams",state="messages-held"} 32400',
    'waiting_import_age_seconds{account="lake",state="file-held"} 14400',
    'waiting_imports{account="adams",state="file-held"} 1',
    'waiting_imports{account="adams",state="messages-held"} 3',
    'waiting_imports{account="lake",state="file-held"} 2',
  ]);

  await api.query(`update imports set state = 'done' where account_id = $1`, [adams]);
  await publishWaitingImports(metrics, api.test.database, api.clock);
  const later = await metrics.registry.metrics();
  expect(later).not.toMatch(/waiting_import\w*\{account="adams"/);
  expect(later).toMatch(/waiting_imports\{account="lake",state="file-held"\} 2/);
});

test('a clerk sees when each feed came last, and which is late', async () => {
  const adams = await addOffice(api.test, {
    subdomain: 'adams',
    feeds: { [ballots]: { every_hours: 24 }, 'beacon-voters': { every_hours: 200 } },
  });
  const { url } = api.test;
  const beacon = createBeacon(url);
  try {
    const feeds = async () =>
      JSON.parse(await beacon.do('imports', '--account', 'adams', '--feeds', '--json'));
    expect(await feeds()).toEqual([
      {
        format: 'beacon-voters',
        last_at: null,
        age_seconds: null,
        every_hours: 200,
        is_late: true,
      },
      { format: ballots, last_at: null, age_seconds: null, every_hours: 24, is_late: true },
    ]);
    const ago = (hours: number) =>
      (Date.now() - hours * 3_600_000 - api.clock.now().getTime()) / -3_600_000;
    await addFile(adams, ballots, ago(25));
    await addFile(adams, 'beacon-voters', ago(72.5));
    await addFile(adams, 'maine-2026', ago(1.5));
    await addFile(await addOffice(api.test, { subdomain: 'lake' }), 'wa-ballots', ago(1));
    const found = await feeds();
    expect(found).toMatchObject([
      { format: 'beacon-voters', is_late: false },
      { format: 'maine-2026', every_hours: null, is_late: false },
      { format: ballots, is_late: true },
    ]);
    for (const { age_seconds: age, last_at: at } of found)
      expect(Math.abs(Date.now() - age * 1000 - Date.parse(at))).toBeLessThan(60_000);
    const stdout = await beacon.do('imports', '--account', 'adams');
    expect(stdout).toMatch(/^beacon-voters\tlast [\w/: ]+, 3 days ago\texpected every 200 h$/m);
    expect(stdout).toMatch(/^maine-2026\tlast [\w/: ]+, 90 minutes ago$/m);
    expect(stdout).toMatch(
      /^voter-focus-ballots\tlast [\w/: ]+, 25 hours ago\texpected every 24 h\tLATE$/m,
    );
    // A script that reads the list of files still gets a list of files.
    expect(JSON.parse(await beacon.do('imports', '--account', 'adams', '--json'))).toHaveLength(3);
    // The newest so many files, in either form.
    const two = ['imports', '--account', 'adams', '--limit', '2'];
    const listed = JSON.parse(await beacon.do(...two, '--json')) as { format: string }[];
    expect(listed.map(({ format }) => format)).toEqual(['maine-2026', 'beacon-voters']);
    const lines = (await beacon.do(...two)).split('\n\n')[1]?.trim().split('\n');
    expect(lines?.map((line) => line.split('\t')[3])).toEqual(['maine-2026', 'beacon-voters']);

    const wrong = beacon.write(
      'account.json',
      JSON.stringify({
        subdomain: 'adams',
        name: 'A',
        county: 'A',
        state: 'FL',
        time_zone: 'UTC',
        feeds: { 'Voter Focus': { every_hours: 24 }, [ballots]: { every_hours: 0 } },
      }),
    );
    const { code, stderr } = await beacon.run('account', 'apply', wrong);
    expect(code).toBe(1);
    expect(stderr).toMatch(/feeds\.Voter Focus: must be the name of a format/);
    expect(stderr).toMatch(/feeds\.voter-focus-ballots\.every_hours: must be 1 to 8784/);
  } finally {
    beacon.remove();
  }
});
