import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { sql } from '../../../testing/sql.ts';

let db: TestDatabase;
let beacon: Beacon;
beforeAll(async () => {
  db = await createTestDatabase();
  beacon = createBeacon(db.url, { clock: createTestClock('2026-02-04T00:00:00Z') });
  const adams = { subdomain: 'adams', name: 'Adams', county: 'Adams', state: 'WA' };
  const file = JSON.stringify({ ...adams, time_zone: 'America/Los_Angeles' });
  await beacon.do('account', 'apply', beacon.write('adams.json', file));
});
afterAll(async () => {
  beacon.remove();
  await db.drop();
});

const begin = (sentUntil: string) =>
  beacon.run('restore', 'begin', '--by', 'Ada Wu', '--sent-until', sentUntil);
const begun = async () => {
  const { rows } = await sql<{ until: string }>`select details ->> 'sent_until' as until
    from audit_log where action = 'database.restore' order by audit_id`.execute(db.database.system);
  return rows.map(({ until }) => until);
};

test.each([
  ['2026-02-03T14:05:00Z', '2026-02-03T14:05:00.000Z'],
  ['2026-02-03T14:05-05:00', '2026-02-03T19:05:00.000Z'],
  ['2026-02-04T00:00:00+0000', '2026-02-04T00:00:00.000Z'],
])(
  'a restore that says when the lost database was last in use, %s, counts until %s',
  async (given, until) => {
    const { code, stderr } = await begin(given);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((await begun()).at(-1)).toBe(until);
  },
);

test.each([
  // The clocks of two machines may have two zones.
  ['2026-02-03T14:05:00', 'Write it with its time zone'],
  ['2026-02-03', 'Write it with its time zone'],
  ['2/3/2026 14:05Z', 'Write it with its time zone'],
  ['2026-02-30T14:05:00X', 'Write it with its time zone'],
  ['2026-02-03T25:05:00Z', 'Write it with its time zone'],
  ['2026-02-04T00:00:01Z', '--sent-until is in the future.'],
])('a restore does not begin with %s: %s', async (given, problem) => {
  const before = await begun();
  const { code, stdout, stderr } = await begin(given);
  expect({ isRefused: code !== null && code > 0, stdout }).toEqual({ isRefused: true, stdout: '' });
  expect(stderr).toContain(problem);
  expect(await begun()).toEqual(before);
});
