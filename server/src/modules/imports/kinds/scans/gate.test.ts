import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openListOffice, range, reasonsOf } from '../../../../../../testing/ballot-list.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';
import { findWaitingImport } from '../../index.ts';
import { judgeScanNews, type ScanNews } from './gate-rules.ts';

let office: TestOffice;
const voters = range(0, 120);
const code = (stid: string, voter: number) => `00${stid}123456${String(voter).padStart(9, '0')}`;
const out = (voter: number) => code('716', voter);
const back = (voter: number) => code('777', voter);

/** October 28: all were mailed on the 5th, and each fifth is back since the 20th. */
beforeEach(async () => {
  office = await openListOffice(voters.length + others.length);
  await importList();
  await office.import(
    'beacon-mailpieces',
    [
      'registration_id,election,outbound_imb,inbound_imb',
      ...voters.map((n) => `${n},7,${out(n)},${back(n)}`),
    ].join('\n'),
  );
});
afterEach(() => office.close());

const backOn = (voter: number) => (voter % 5 === 0 ? '2026-10-20,2026-10-21' : ',');
const importList = (...more: string[]) =>
  office.import(
    'beacon-ballots',
    [
      'registration_id,election,status,sent_on,returned_on,status_on',
      ...voters.map((n) => `${n},7,${n % 5 === 0 ? 'accepted' : 'sent'},2026-10-05,${backOn(n)}`),
      ...more,
    ].join('\n'),
  );

type Scan = readonly [barcode: string, at: string, phase: string, operation?: string, zip?: string];
const header =
  'imb,scanDatetime,mailPhase,handlingEventType,scanEventCode,scanFacilityZip,scanFacilityState';
const toText = (scans: readonly Scan[]) =>
  [
    header,
    ...scans.map(
      ([barcode, at, phase, operation = '517', zip = '']) =>
        `${barcode},${at},${phase},A,${operation},${zip},WA`,
    ),
  ].join('\n');
const importScans = (scans: readonly Scan[], more: object = {}) =>
  office.import('usps-iv-mtr', toText(scans), more);

/** Ballots of which the office says this, in one file after the other. */
const others = range(voters.length, voters.length + 10);
async function importOthers(...words: string[]): Promise<void> {
  for (const said of words) await importList(...others.map((n) => `${n},7,${said}`));
  const pieces = others.map((n) => `${n},7,${out(n)}`);
  await office.import(
    'beacon-mailpieces',
    ['registration_id,election,outbound_imb', ...pieces].join('\n'),
  );
}

/** What voters see: status, and days of what USPS saw. */
async function see(): Promise<unknown> {
  const { rows } = await sql`
    select v.registration_id, b.current_status,
      (select array_agg(e.status || ' ' || e.occurred_on order by 1) from ballot_events e
        where e.ballot_id = b.ballot_id and e.kind = 'scan') as seen
    from ballots b join voters v using (voter_id) order by v.registration_id::integer`.execute(
    office.db.database.system,
  );
  return rows;
}

const day = (of: number) => `2026-10-${String(of).padStart(2, '0')}T09:00:00`;
const onItsWay = (voter: number): Scan[] => [
  [out(voter), day(6), '1a'],
  [out(voter), day(7), '2b'],
  [out(voter), day(8), '3c'],
];

describe('scans wait, and no voter sees anything of them', () => {
  test.each<[string, string, (voter: number) => Scan[]]>([
    [
      'when they are of eight days before the envelopes were mailed',
      'scans-off-days',
      (voter) => [[out(voter), '2026-09-27T09:00:00', '1a']],
    ],
    [
      'when envelopes would be on their way back on the day before they were mailed',
      'scans-off-days',
      (voter) => (voter % 5 === 1 ? [[back(voter), day(4), '1']] : []),
    ],
    [
      'when envelopes that the office has would be in the mail',
      'scans-off-days',
      (voter) => (voter % 5 === 0 ? [[back(voter), day(28), '1']] : []),
    ],
    [
      'when phases are turned around',
      'scans-backwards',
      (voter) =>
        onItsWay(voter).map(([barcode, at], place) => [
          barcode,
          at,
          ['3c', '2b', '1a'][place] ?? '',
        ]),
    ],
    [
      'when phases of one in six envelopes are turned around',
      'scans-backwards',
      (voter) => [
        ...onItsWay(voter),
        ...(voter % 6 === 0 ? [[out(voter), '2026-10-09T17:30:00', '1a'] as const] : []),
      ],
    ],
    [
      'when a third of all ballots would be on their way back since one day, a few since others',
      'returns-at-once',
      (voter) =>
        voter % 5 > 1 ? [[back(voter), day(voter % 5 > 2 || voter > 20 ? 19 : 18), '1']] : [],
    ],
  ])('%s', async (_, reason, scansOf) => {
    await importScans([[out(1), day(6), '1a']]);
    const before = await see();
    const outcome = await importScans(voters.flatMap(scansOf));
    expect(reasonsOf(outcome)).toEqual(['file-held', reason]);
    expect(outcome.report.gate?.[0]?.examples).toHaveLength(5);
    expect(await see()).toEqual(before);
  });

  test('when known scans would have another phase', async () => {
    await importScans(voters.flatMap(onItsWay));
    const before = await see();
    const moved = voters.flatMap((voter) =>
      onItsWay(voter).map(([barcode, at]): Scan => [barcode, at, '4c']),
    );
    const outcome = await importScans(moved);
    expect(reasonsOf(outcome)).toEqual(['file-held', 'scans-rephased']);
    expect(outcome.report.gate?.[0]?.examples?.[0]).toMatchObject({
      voter: out(0),
      from: 'phase 1a',
      to: 'phase 4c',
    });
    expect(await see()).toEqual(before);
  });

  test('when a few known scans would have another phase, among many that are new', async () => {
    await importScans(voters.slice(0, 6).flatMap(onItsWay));
    const moved = onItsWay(0)
      .concat(onItsWay(1))
      .map(([barcode, at]): Scan => [barcode, at, '4c']);
    const outcome = await importScans([...moved, ...voters.slice(6).flatMap(onItsWay)]);
    expect(reasonsOf(outcome)).toEqual(['file-held', 'scans-rephased']);
    expect(outcome.report.gate?.[0]).toMatchObject({
      rows: 6,
      examples: [{ voter: out(0) }, { voter: out(1) }],
    });
  });

  test('when days are off by one', async () => {
    await importScans(voters.flatMap(onItsWay));
    const before = await see();
    const shifted = voters.flatMap((voter) =>
      onItsWay(voter).map(([barcode, at, phase]): Scan => [barcode, at.replace('-0', '-1'), phase]),
    );
    expect(reasonsOf(await importScans(shifted))).toEqual([
      'file-held',
      'scans-redated',
      'scans-backwards',
    ]);
    expect(await see()).toEqual(before);
  });

  test('when envelopes that the office has, and never recorded as mailed, would be in the mail', async () => {
    await importOthers('returned,,2026-10-20,');
    const outcome = await importScans(others.map((n) => [out(n), day(28), '1a']));
    expect(reasonsOf(outcome)).toEqual(['file-held', 'scans-off-days']);
  });

  test('and the examples are of the envelopes that are odd', async () => {
    const outcome = await importScans(
      voters.map((voter) => [out(voter), voter < 20 ? day(6) : '2026-09-27T09:00:00', '1a']),
    );
    expect(outcome.report.gate).toMatchObject([
      {
        code: 'scans-off-days',
        rows: 100,
        examples: range(20, 25).map((n) => ({ voter: out(n) })),
      },
    ]);
  });

  test('until a second person approves them; others that wait stay beside them', async () => {
    const early = (of: readonly number[]) =>
      of.map((voter): Scan => [out(voter), '2026-09-27T09:00:00', '1a']);
    const waits = [];
    for (const half of [voters.slice(0, 60), voters.slice(60)])
      waits.push(await importScans(early(half)));
    await importScans([[out(1), day(6), '1a']]);
    const { system } = office.db.database;
    const waiting = [];
    for (const { importId } of waits)
      waiting.push(importId === null ? null : await findWaitingImport(system, importId));
    expect(waiting.map((one) => one?.importId)).toEqual(waits.map(({ importId }) => importId));
    const [first] = waiting;
    const released = await importScans(early(voters.slice(0, 60)), { released: first });
    expect(released.state).toBe('released');
    expect(JSON.stringify(await see())).toContain('in-transit 2026-09-27');
  });
});

describe('scans are loaded', () => {
  test.each<[string, (voter: number) => Scan[]]>([
    ['of three days at once', onItsWay],
    [
      'of seven days before the day that the office names',
      (voter) => [[out(voter), '2026-09-28T09:00:00', '1a']],
    ],
    [
      'of envelopes on their way back on the day they were mailed',
      (voter) => (voter % 5 === 1 ? [[back(voter), day(5), '1']] : []),
    ],
    [
      'until seven days after the office had them back',
      (voter) => (voter % 5 === 0 ? [[back(voter), day(27), '3c']] : []),
    ],
    [
      'of envelopes on their way back, long after the office had others back',
      (voter) => (voter % 5 === 1 ? [[back(voter), day(28), '1']] : []),
    ],
    [
      'of one second, in any order',
      (voter) => [
        [out(voter), day(7), '3c', '517'],
        [out(voter), day(7), '2b', '519'],
      ],
    ],
    [
      'of another operation, or at another place, at the same second of another day',
      (voter) => [
        [out(voter), day(6), '2b', '517', '99201'],
        [out(voter), day(7), '2b', '519', '99201'],
        [out(voter), day(8), '2b', '517', '99301'],
      ],
    ],
    [
      'of one in ten envelopes that took a wrong way',
      (voter) => [
        ...onItsWay(voter),
        ...(voter % 12 === 0 ? [[out(voter), '2026-10-09T17:30:00', '1a'] as const] : []),
      ],
    ],
    [
      'of a week in which nearly all came back',
      (voter) => (voter % 5 > 0 ? [[back(voter), day(21 + (voter % 7)), '1']] : []),
    ],
    [
      'of many days before, of an office that had none',
      (voter) => (voter === 3 ? onItsWay(voter) : []),
    ],
  ])('%s', async (_, scansOf) => {
    const { state, report } = await importScans(voters.flatMap(scansOf));
    expect([state, report.gate ?? []]).toEqual(['done', []]);
  });

  test('whose phase is written in another way, or was not known', async () => {
    await importScans(voters.map((voter) => [out(voter), day(6), voter % 2 ? '' : '1a']));
    const { state } = await importScans(
      voters.map((voter) => [out(voter), day(6), 'Phase 1A - Origin Primary']),
    );
    expect(state).toBe('done');
  });

  test('of ballots that were back once, and were mailed again since', async () => {
    await importOthers('returned,,2026-10-20,');
    const again = [...voters.filter((n) => n % 5 === 0), ...others];
    const header = 'registration_id,election,status,sent_on,returned_on';
    const rows = again.map((n) => `${n},7,sent,2026-10-24,`);
    const list = [header, ...rows].join('\n');
    const { importId } = await office.import('beacon-ballots', list);
    const released = importId && (await findWaitingImport(office.db.database.system, importId));
    await office.import('beacon-ballots', list, released ? { released } : {});
    expect(JSON.stringify(await see())).toContain('reprinted');
    const outcome = await importScans(again.map((voter) => [out(voter), day(28), '1a']));
    expect(reasonsOf(outcome)).toEqual(['done']);
  });

  test('of one day for nearly all, which were on their way back before', async () => {
    const returned = voters.filter((n) => n % 5 > 0);
    const scansOn = (phase: string, of: (n: number) => number) =>
      importScans(returned.map((n) => [back(n), day(of(n)), phase]));
    expect((await scansOn('1', (n) => 20 + (n % 7))).state).toBe('done');
    expect(reasonsOf(await scansOn('2', () => 27))).toEqual(['done']);
  });

  test('of days before a day of mailing that the office has corrected since', async () => {
    await importOthers('sent,2026-10-20,,', 'sent,2026-10-05,,');
    const outcome = await importScans(others.map((n) => [out(n), day(6), '1a']));
    expect(reasonsOf(outcome)).toEqual(['done']);
  });

  test('in any order, however old the file', async () => {
    await importScans([[out(2), day(20), '3c']]);
    const { state } = await importScans(voters.flatMap(onItsWay));
    expect(state).toBe('done');
  });
});

test('a limit’s number of scans is ordinary, and one more is not', () => {
  const quiet: ScanNews = {
    ...{
      scans: 1_000,
      offDays: 0,
      redated: 0,
      envelopes: 1_000,
      backwards: 0,
      repeated: 1_000,
      rephased: 0,
    },
    busiest: null,
  };
  const codes = (more: Partial<ScanNews>) =>
    judgeScanNews({ ...quiet, ...more }).map((one) => one.code);
  expect([codes({ offDays: 50 }), codes({ offDays: 51 })]).toEqual([[], ['scans-off-days']]);
  expect([codes({ backwards: 100 }), codes({ backwards: 101 })]).toEqual([[], ['scans-backwards']]);
  expect([codes({ rephased: 50 }), codes({ rephased: 51 })]).toEqual([[], ['scans-rephased']]);
  expect([codes({ redated: 50 }), codes({ redated: 51 })]).toEqual([[], ['scans-redated']]);
  const small = { scans: 20, envelopes: 20, repeated: 20 };
  const odd = (count: number) =>
    codes({ ...small, offDays: count, redated: count, backwards: count, rephased: count });
  expect([odd(5), odd(6)]).toEqual([[], expect.objectContaining({ length: 4 })]);
  const of = (ballots: number, known: number) =>
    codes({ busiest: { day: '2026-10-19', election: '7', ballots, known } });
  expect([of(20, 60), of(20, 59), of(19, 19)]).toEqual([[], ['returns-at-once'], []]);
});
