import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBeacon } from '../../../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../../../testing/office.ts';

let office: TestOffice;
beforeEach(async () => {
  office = await createTestOffice();
  await office.addElection('7', '2026-11-03');
});
afterEach(() => office.close());

const header = 'registration_id,firstname,lastname,birthdate,zipcode';
const voters = (count: number) =>
  Array.from({ length: count }, (_, n) => `${n},Ann,Lee,01/02/1950,99301`);
/** @param unreadable rows without an ID, which are refused */
const roll = (unreadable: number) =>
  [header, ...voters(30), ...Array(unreadable).fill(',Bo,Lee,01/02/1950,99301')].join('\n');
const importRoll = async (text: string) => (await office.import('beacon-voters', text)).state;

test('the same file again says nothing new', async () => {
  expect(await importRoll(roll(0))).toBe('done');
  expect(await importRoll(roll(0))).toBe('nothing-new');
  expect(await importRoll(`${roll(0)}\n`)).toBe('done');
  expect(await importRoll(roll(0))).not.toBe('nothing-new');
});

test.each([1, 2])(
  'the same file again is read again where %i of its rows was refused',
  async (unreadable) => {
    await importRoll(roll(unreadable));
    const again = await office.import('beacon-voters', roll(unreadable));
    expect([again.state, again.report.rows.refused]).toEqual(['done', unreadable]);
  },
);

test('the same file again is read again once it would be read in another way', async () => {
  await importRoll(roll(0));
  const ballots = 'registration_id,election,status\n1,7,sent\n2,7,sent\n';
  const importBallots = async () => (await office.import('beacon-ballots', ballots)).state;
  expect(await importBallots()).toBe('done');
  expect(await importBallots()).toBe('nothing-new');
  await office.addElection('8', '2026-12-08');
  expect(await importBallots()).toBe('done');
  await office.addElection('8', '2026-12-09');
  expect(await importBallots()).toBe('done');
  expect(await importBallots()).toBe('nothing-new');
});

test('the same roll again is read again where it is the whole roll now', async () => {
  const rows = voters(29);
  await importRoll(roll(0));
  const part = [header, ...rows].join('\n');
  expect(await importRoll(part)).toBe('done');
  expect(await importRoll(part)).toBe('nothing-new');
  const whole = await office.import('beacon-voters', part, { isFull: true });
  expect([whole.state, whole.report.after]).toEqual(['done', { active: 29, inactive: 1 }]);
});

test('the same file again is read again once it was corrected', async () => {
  await importRoll(roll(0));
  const ballots = 'registration_id,election,status\n1,7,sent\n2,7,sent\n';
  const first = await office.import('beacon-ballots', ballots);
  const beacon = createBeacon(office.db.url, { clock: office.clock });
  await beacon.do('correct', String(first.importId), '--by', 'Bea Deputy');
  beacon.remove();
  const again = await office.import('beacon-ballots', ballots);
  expect(again).toMatchObject({ state: 'done', report: { events: 2 } });
});

test('the right file again is read again once a wrong one before it was corrected', async () => {
  await importRoll(roll(0));
  const scan = (voter: number) => `0071612345600000000${voter},2026-10-15 08:00:00`;
  const scans = (...of: number[]) => ['imb,scanDatetime', ...of.map(scan)].join('\n');
  const wrong = await office.import('usps-iv-mtr', scans(1, 2));
  const right = scans(1, 3);
  expect((await office.import('usps-iv-mtr', right)).report.rows).toMatchObject({ added: 1 });
  expect((await office.import('usps-iv-mtr', right)).state).toBe('nothing-new');
  const beacon = createBeacon(office.db.url, { clock: office.clock });
  await beacon.do('correct', String(wrong.importId), '--by', 'Bea Deputy');
  beacon.remove();
  office.clock.advance(60_000);
  const again = await office.import('usps-iv-mtr', right);
  expect(again).toMatchObject({ state: 'done', report: { rows: { changed: 1, unchanged: 1 } } });
  expect((await office.import('usps-iv-mtr', right)).state).toBe('nothing-new');
});

test('the same list again is read again once another list has changed the same ballots', async () => {
  await importRoll(roll(0));
  const own = (...rows: string[]) =>
    office.import('beacon-ballots', ['registration_id,election,status', ...rows].join('\n'));
  const columns =
    'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,RejectionReason,RejectionDescription';
  const cases = `${columns}\n7,1,RejectedCurable,10/05/2026,10/20/2026,S,Not signed\n`;
  const importCases = () => office.import('voter-focus-ballots', cases);
  await own('1,7,returned');
  const open = { '7 rejected-curable': 1 };
  expect(await importCases()).toMatchObject({ state: 'done', report: { after: open } });
  await own('1,7,returned', '2,7,sent');
  expect(await importCases()).toMatchObject({ state: 'done', report: { after: open } });
  expect((await importCases()).state).toBe('nothing-new');
  // One that changes nothing, and one of voters, leave it as it is.
  await own('2,7,sent');
  await importRoll([header, ...voters(31)].join('\n'));
  expect((await importCases()).state).toBe('nothing-new');
});
