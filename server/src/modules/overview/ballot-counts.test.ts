import type { BallotsAnswer } from '@ballot-beacon/contract/office/ballots';
import type { Today } from '@ballot-beacon/contract/office/today';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addLoadingOffice, type LoadingOffice } from '../../../../testing/api-imports.ts';
import { createBeacon } from '../../../../testing/beacon.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { ImportId } from '../../platform/ids.ts';
import { putBackImport } from '../imports/index.ts';

let api: TestApi;
let office: LoadingOffice;
let clerk: TestPerson;

beforeAll(async () => {
  api = await createTestApi();
  const day = new Date(api.clock.now().getTime() + 30 * 86_400_000).toISOString().slice(0, 10);
  office = await addLoadingOffice(api, { subdomain: 'adams' }, day);
  const of = { accountId: office.accountId, host: 'adams.localhost' };
  clerk = await addPerson(api, of, 'Cleo Marsh', ['clerk']);
  const people = Array.from({ length: 60 }, (_, n) => `${n + 1},Ann,Rivera,02/03/1970,34811`);
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  expect(await office.load('beacon-voters', [header, ...people].join('\n'))).toBe('done');
});
afterAll(() => api.close());

const day = '2026-10-20';
const loadBallots = (rows: readonly (readonly [number, string])[]) =>
  office.load(
    'beacon-ballots',
    [
      'registration_id,election,ballot_number,status,status_on',
      ...rows.map(([voter, status]) => `${voter},7,B-${voter},${status},${day}`),
    ].join('\n'),
  );

async function readCounts(): Promise<Record<string, number>> {
  const { elections } = (await clerk.browser.get('/api/office/today')).json<Today>();
  return Object.fromEntries(
    elections.flatMap(({ ballots }) => ballots.map(({ status, count }) => [status, count])),
  );
}

async function list(status: string): Promise<string[]> {
  const answer = await clerk.browser.get(`/api/office/ballots?election=7&status=${status}`);
  return answer.json<BallotsAnswer>().ballots.map((one) => one.registration_id);
}

async function readReport(): Promise<Record<string, number>> {
  const answer = await clerk.browser.get('/api/office/report?report=status&election=7');
  const rows = answer.json<{ rows: [string, string, string, string, number, number][] }>().rows;
  const last = rows.at(-1)?.[2];
  return Object.fromEntries(
    rows.flatMap(([, , of, status, , total]) =>
      of === last && total > 0 ? [[status, total]] : [],
    ),
  );
}

test('a ballot that only a file had that was put back is none', async () => {
  const right = [
    [1, 'sent'],
    [6, 'requested'],
  ] as const;
  await loadBallots(right);
  const before = await readCounts();
  await loadBallots([...right, [7, 'sent'], [8, 'requested']]);
  expect(await readCounts()).not.toEqual(before);
  const [wrong] = await api.query<{ import_id: ImportId }>(
    'select import_id from imports order by import_id desc limit 1',
  );
  const { database } = api.test;
  await database.transaction((tx) =>
    putBackImport(tx, wrong?.import_id as ImportId, api.clock.now()),
  );
  expect(await readCounts()).toEqual(before);
  expect(await list('requested')).toEqual(['6']);
  expect(await readReport()).toEqual(before);

  const [voter] = await api.query<{ voter_id: number }>(
    `select voter_id from voters where registration_id = '8'`,
  );
  const answer = await clerk.browser.get(`/api/office/voters/${voter?.voter_id}`);
  expect(answer.json()).toMatchObject({
    ballots: [{ status: null, events: [{ is_withdrawn: true }] }],
  });
  const beacon = createBeacon(api.test.url, { clock: api.clock });
  const shown = await beacon.do('ballot', 'show', '8', '--account', 'adams');
  beacon.remove();
  expect(shown).toContain('The voter sees no such ballot: only a file had it that was corrected.');
  expect(shown).toContain('corrected: no longer counts');
});

test('an application and the ballot that it became are one: the application until the ballot is more than asked for', async () => {
  const readAgreed = async () => {
    const counts = await readCounts();
    expect(await readReport()).toEqual(counts);
    for (const status of Object.keys(counts))
      expect(await list(status)).toHaveLength(counts[status] ?? 0);
    return counts;
  };
  const before = await readAgreed();
  expect(
    await office.load(
      'beacon-applications',
      [
        'registration_id,election,application_status,received_on,decided_on',
        ...[20, 21, 22].map((voter) => `${voter},7,approved,2026-10-12,2026-10-14`),
        '23,7,received,2026-10-12,',
      ].join('\n'),
    ),
  ).toBe('done');
  expect(await readAgreed()).toEqual({
    ...before,
    'application-approved': 3,
    'application-received': 1,
  });
  // Voter 22 has two ballots, the first of which was cancelled.
  expect(
    await office.load(
      'beacon-ballots',
      [
        'registration_id,election,ballot_number,status,status_on',
        ...['1,7,B-1,sent', '6,7,B-6,requested', '20,7,B-20,sent', '21,7,B-21,requested'].map(
          (row) => `${row},${day}`,
        ),
        `22,7,B-22,cancelled,${day}`,
        `22,7,C-22,sent,${day}`,
      ].join('\n'),
    ),
  ).toBe('done');
  expect(await readAgreed()).toEqual({
    ...before,
    sent: (before.sent ?? 0) + 2,
    cancelled: 1,
    'application-approved': 1,
    'application-received': 1,
  });
  const report = await clerk.browser.get('/api/office/report?report=status&election=7');
  // What was before the ballots is in the report as it was.
  expect(report.body).toMatch(/"2026-10-14","application-approved",3,3/);
});
