import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addBallot, addOffice, addVoter } from '../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { sql } from '../../../testing/sql.ts';
import type { AccountId } from '../platform/ids.ts';

let db: TestDatabase;
let beacon: Beacon;
let lake: AccountId;

beforeAll(async () => {
  db = await createTestDatabase();
  beacon = createBeacon(db.url);
  await addOffice(db, { subdomain: 'adams' });
  lake = await addOffice(db, { subdomain: 'lake' });
});
afterAll(async () => {
  beacon.remove();
  await db.drop();
});
beforeEach(async () => {
  await sql`truncate elections cascade`.execute(db.database.system);
});

const set = (account: string, number: string, ...more: string[]) =>
  beacon.do(
    ...['election', 'set', '--account', account, '--number', number, '--name', `Of ${account}`],
    ...['--date', '2026-11-03', '--active', 'true', ...more],
  );
const list = async (account: string) =>
  JSON.parse(await beacon.do('election', 'list', '--account', account, '--json'));

test('an election of another office that has the same number keeps all that it has', async () => {
  const days = ['--kind', 'general', '--certification', '2026-11-24', '--canvass', '2026-11-20'];
  const deadline = ['--return-rule', 'received', '--return-by', '11/3/2026 19:00'];
  await set('lake', 'g26', ...days, ...deadline);
  const [before] = await list('lake');
  expect(before).toMatchObject({ number: 'g26', name: 'Of lake' });

  await set('adams', 'G26', '--kind', 'primary', '--certification', '2026-12-01');
  expect(await list('lake')).toEqual([before]);
  // Also into its own number in other letters.
  await beacon.do('election', 'rename', 'G26', 'g26', '--account', 'adams');
  expect(await list('adams')).toMatchObject([{ number: 'g26' }]);
  await beacon.do('election', 'rename', 'g26', '7', '--account', 'adams');
  expect(await list('lake')).toEqual([before]);
  await beacon.do('election', 'remove', '7', '--account', 'adams');
  expect(await list('lake')).toEqual([before]);
  expect(await list('adams')).toEqual([]);
});

test('an election with ballots does not move to another year by a slip', async () => {
  await set('lake', '7', '--kind', 'general');
  const move = (date: string) =>
    beacon.run(
      ...['election', 'set', '--account', 'lake', '--number', '7', '--name', 'General'],
      ...['--date', date, '--active', 'true'],
    );
  expect((await move('2027-11-02')).code).toBe(0);
  await addBallot(db, lake, await addVoter(db, lake), {
    election: '7',
    date: '2027-11-02',
    events: [],
  });
  const moved = await move('2026-11-03');
  expect([moved.code, moved.stderr]).toEqual([
    2,
    expect.stringContaining(
      'Check --date: election 7 is on 11/02/2027 and has ballots, so it cannot move to 11/03/2026.',
    ),
  ]);
  expect(await list('lake')).toMatchObject([{ electionDate: '2027-11-02' }]);
  expect((await move('2027-11-09')).code).toBe(0);
});

test('an election does not move away from a deadline that the office set', async () => {
  await set('adams', '7', '--date', '2026-11-03');
  await set('lake', '7', '--date', '2026-11-03');
  const cure = ['--account', 'adams', '--election', '7'];
  await beacon.do('cure', 'set', ...cure, '--by', '12/18/2026 17:00', '--reason', 'A court order');
  const move = (account: string) =>
    beacon.run(
      ...['election', 'set', '--account', account, '--number', '7', '--name', 'General'],
      ...['--date', '2026-11-02', '--active', 'true'],
    );
  expect((await move('lake')).code).toBe(0);
  const moved = await move('adams');
  expect([moved.code, moved.stderr]).toEqual([
    2,
    expect.stringContaining(
      "Check --date: the office's own deadline to fix an envelope, 12/18/2026, does not fit an election on 11/02/2026. Take it back first: beacon cure unset --account adams --election 7",
    ),
  ]);
  expect(await list('adams')).toMatchObject([{ electionDate: '2026-11-03' }]);
  await beacon.do('cure', 'unset', ...cure);
  expect((await move('adams')).code).toBe(0);
});

test('a day that was announced stays until another is, each by itself', async () => {
  await set('adams', '7', '--certification', '2026-11-24', '--canvass', '2026-11-20');
  expect(await list('adams')).toMatchObject([
    { certifiedOn: '2026-11-24', canvassedOn: '2026-11-20' },
  ]);
  await set('adams', '7', '--certification', '2026-11-25');
  expect(await list('adams')).toMatchObject([
    { certifiedOn: '2026-11-25', canvassedOn: '2026-11-20' },
  ]);
  await set('adams', '7', '--canvass', '2026-11-21', '--kind', 'special');
  expect(await list('adams')).toMatchObject([
    { certifiedOn: '2026-11-25', canvassedOn: '2026-11-21', kind: 'special' },
  ]);
  await set('adams', '7');
  expect(await list('adams')).toMatchObject([
    { certifiedOn: '2026-11-25', canvassedOn: '2026-11-21', kind: 'special' },
  ]);
});

test('an election does not move away from days that were announced before', async () => {
  const deadline = ['--return-rule', 'received', '--return-by', '11/3/2026 19:00'];
  await set('adams', '8', ...deadline);
  await set('adams', '9', '--certification', '2026-11-24');
  const before = await list('adams');
  const move = async (number: string) => {
    const moved = ['--number', number, '--name', 'Moved', '--date', '2026-12-08'];
    return beacon.run('election', 'set', '--account', 'adams', ...moved, '--active', 'true');
  };
  expect(await move('8')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'Check --return-by: ballots of an election on 12/08/2026 are not received until 11/03/2026.',
    ),
  });
  expect(await move('9')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'Check --certification: 11/24/2026 does not belong to an election on 12/08/2026.',
    ),
  });
  expect(await list('adams')).toEqual(before);
});

test('an election without ballots can be removed with the office’s own deadlines, and no other’s', async () => {
  await set('adams', '8');
  await set('lake', '8');
  await sql`insert into office_deadlines (account_id, election_id, defect, ends_on, ends_at, reason, set_by)
    select account_id, election_id, 'signature-missing', '2026-11-09', '17:00', 'A court’s order', 'tester' from elections`.execute(
    db.database.system,
  );
  await beacon.do('election', 'remove', '8', '--account', 'adams');
  const { rows } = await sql<{
    account_id: AccountId;
  }>`select account_id from office_deadlines`.execute(db.database.system);
  expect(rows).toEqual([{ account_id: lake }]);
});

test('elections are listed with the newest first', async () => {
  await set('adams', '1', '--date', '2026-08-04');
  await set('adams', '2', '--date', '2026-11-03');
  await set('adams', '3', '--date', '2026-09-15');
  const numbers = (await list('adams')).map(({ number }: { number: string }) => number);
  expect(numbers).toEqual(['2', '3', '1']);
});

test('a return deadline is announced whole, and half of one changes nothing', async () => {
  await set('adams', '9', '--return-rule', 'received', '--return-by', '11/3/2026 19:00');
  const before = await list('adams');
  expect(before[0].returnDeadline).toMatchObject({
    rule: 'received',
    date: '2026-11-03',
    time: '19:00',
  });
  for (const half of [
    ['--return-place', 'Drop box'],
    ['--return-rule', 'postmarked'],
    ['--return-by', '11/4/2026'],
  ])
    expect(
      await beacon.run(
        ...['election', 'set', '--account', 'adams', '--number', '9', '--name', 'Other'],
        ...['--date', '2026-11-03', '--active', 'true', ...half],
      ),
    ).toMatchObject({ code: 2, stderr: expect.stringContaining('needs both --return-rule') });
  const unreadable = ['11/4/2026 24:00', '11/4/2026 7:00', '11/4/2026 19:60', '2/30/2026'];
  for (const by of [...unreadable, '11/3/2026 08:00 PM'])
    expect(
      await beacon.run(
        ...['election', 'set', '--account', 'adams', '--number', '9', '--name', 'Other'],
        ...['--date', '2026-11-03', '--active', 'true', '--return-rule', 'received'],
        ...['--return-by', by],
      ),
      by,
    ).toMatchObject({ code: 2, stderr: expect.stringContaining('Use a date') });
  const late = await beacon.run(
    ...['election', 'set', '--account', 'adams', '--number', '9', '--name', 'Other'],
    ...['--date', '2026-11-03', '--active', 'true', '--return-rule', 'postmarked'],
    ...['--return-by', '11/4/2026'],
  );
  expect(late).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'Check --return-by: ballots of an election on 11/03/2026 are not postmarked until 11/04/2026.',
    ),
  });
  expect(await list('adams')).toEqual(before);
});
