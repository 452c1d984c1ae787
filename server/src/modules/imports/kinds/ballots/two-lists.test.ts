import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  openListOffice,
  range,
  reasonsOf,
  writeCasesFormat,
} from '../../../../../../testing/ballot-list.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';
import { correctImport } from '../../../notifications/index.ts';
import {
  findWaitingImport,
  type ImportId,
  type ImportOutcome,
  type ImportRequest,
  putBackImport,
} from '../../index.ts';

/** An office sends a list of all ballots, and after it another of the same ballots that knows less of them and more. */
let office: TestOffice;
let cases: string;

beforeEach(async () => {
  office = await openListOffice();
  cases = writeCasesFormat(office);
});
afterEach(() => office.close());

/** So many of the first voters have an envelope to fix. Each asked for the ballot on one of nine days. */
const open = 14;

function importAll(
  newlyAccepted: number,
  reason: readonly string[] = ['S', 'Signature'],
): Promise<ImportOutcome> {
  const rows = range(0, 300).map((voter) => {
    const days = `2026-09-0${1 + (voter % 9)},2026-10-05`;
    if (voter < open) return `${voter},7,rejected-curable,${days},2026-10-20,${reason.join()}`;
    return voter < 100 + newlyAccepted
      ? `${voter},7,accepted,${days},2026-10-20,,`
      : `${voter},7,sent,${days},,,`;
  });
  const header =
    'registration_id,election,status,requested_on,sent_on,returned_on,reason_code,reason';
  return office.import('beacon-ballots', [header, ...rows, ''].join('\n'));
}

function importCases(problem = 'Not signed'): Promise<ImportOutcome> {
  const rows = range(0, open).map((voter) => `${voter},2026-10-20,${problem},Open`);
  return office.import(cases, ['Voter,Received,Problem,State', ...rows, ''].join('\n'), {
    election: '7',
  });
}

const nextDay = () => office.clock.advance(24 * 60 * 60 * 1000);

test('a list of open cases that has never had the days and codes of the office’s list loses none', async () => {
  expect(reasonsOf(await importAll(0))).toEqual(['done']);
  expect(reasonsOf(await importCases())).toEqual(['done']);
  nextDay();
  expect(reasonsOf(await importAll(1))).toEqual(['done']);
  expect(reasonsOf(await importCases('Not signed at all'))).toEqual(['done']);
  // What it has had itself, it may not lose.
  nextDay();
  expect(reasonsOf(await importAll(2))).toEqual(['done']);
  expect(reasonsOf(await importCases(''))).toEqual(['file-held', 'reasons-missing']);
});

test('an office’s list that never says why loses no reasons of its list of open cases', async () => {
  expect(reasonsOf(await importAll(0, ['', '']))).toEqual(['done']);
  expect(reasonsOf(await importCases())).toEqual(['done']);
  nextDay();
  expect(reasonsOf(await importAll(1, ['', '']))).toEqual(['done']);
});

test('a state’s list of days alone loses no words of the office’s list', async () => {
  const importDays = (last: number) => {
    const rows = range(0, last).map(
      (voter) => `${voter}|Adams|${voter < 100 ? '10/20/2026' : ''}||`,
    );
    const header = 'VOTER_ID|COUNTY|MAIL_BALLOT_RECEIVE_DATE|IN_PERSON_VOTE_DATE|VOTED_PARTY';
    return office.import('co-ce-068', [header, ...rows, ''].join('\n'), { election: '7' });
  };
  const importOwn = (last: number) => {
    const rows = range(0, last).map(
      (voter) => `${voter},7,${voter < 100 ? 'returned' : 'sent'},2026-10-05`,
    );
    return office.import(
      'beacon-ballots',
      ['registration_id,election,status,sent_on', ...rows, ''].join('\n'),
    );
  };
  expect(reasonsOf(await importOwn(280))).toEqual(['done']);
  expect(reasonsOf(await importDays(280))).toEqual(['done']);
  nextDay();
  expect(reasonsOf(await importOwn(281))).toEqual(['done']);
  expect(reasonsOf(await importDays(281))).toEqual(['done']);
});

describe('two lists that know the same ballots differently', () => {
  const header = 'registration_id,election,status,requested_on,sent_on,returned_on,reason';
  const backOn = (voter: number, off: number) => `2026-10-1${(voter % 8) + off}`;

  /** @param off the office's list dates each return so many days later than the list of open cases @param explained so many of these say why */
  function importOwn(newlyAccepted: number, off: number, explained = 0, more: Approval = {}) {
    const rows = range(0, 300).map((voter) => {
      const days = `2026-09-0${1 + (voter % 9)},2026-10-05`;
      if (voter < open)
        return `${voter},7,rejected-curable,${days},${backOn(voter, off)},${voter < explained ? 'Signature' : ''}`;
      return `${voter},7,${voter < 100 + newlyAccepted ? `accepted,${days},2026-10-20` : `sent,${days},`},`;
    });
    return office.import('beacon-ballots', [header, ...rows, ''].join('\n'), more);
  }

  function importOpen(more: Approval = {}) {
    const rows = range(0, open).map((voter) => `${voter},${backOn(voter, 0)},Not signed,Open`);
    return office.import(cases, ['Voter,Received,Problem,State', ...rows, ''].join('\n'), {
      election: '7',
      ...more,
    });
  }

  type Approval = Partial<ImportRequest>;
  async function approve({ importId }: ImportOutcome, again: (more: Approval) => unknown) {
    if (importId === null) throw new Error('It is not on record.');
    const released = await findWaitingImport(office.db.database.system, importId);
    if (released === null) throw new Error('It does not wait.');
    await again({ released, operator: 'operator:second' });
  }

  test('wait once where they date the returns otherwise, and not every day', async () => {
    expect(reasonsOf(await importOwn(0, 1))).toEqual(['done']);
    const first = await importOpen();
    expect(reasonsOf(first)).toEqual(['file-held', 'other-dates']);
    await approve(first, importOpen);
    for (const day of [1, 2]) {
      nextDay();
      expect([day, reasonsOf(await importOwn(day, 1))]).toEqual([day, ['done']]);
      expect([day, reasonsOf(await importOpen())]).toEqual([day, ['done']]);
    }
    // What it did not say itself the day before, it may not say of many.
    nextDay();
    expect(reasonsOf(await importOwn(3, 2))).toEqual(['file-held', 'scattered-dates']);
  });

  test('do not wait after a file of the first of them was put back', async () => {
    await importOwn(0, 1);
    await approve(await importOpen(), importOpen);
    nextDay();
    const { importId } = await importOwn(1, 1);
    await office.db.database.transaction(async (tx) => {
      await correctImport(tx, importId as ImportId, 'Bea Deputy', office.clock.now());
      await putBackImport(tx, importId as ImportId, office.clock.now());
    });
    expect(reasonsOf(await importOwn(2, 1))).toEqual(['done']);
  });

  test.each([
    ['that it had as mailed before', 200],
    ['that it had not listed before', 280],
  ])('do not wait where the day’s new cases, of ballots %s, are many', async (_, from) => {
    const importNew = async (day: number) => {
      const listedCases = range(from, from + 6 * day);
      const rows = range(0, 280 + 6 * day).map((voter) => {
        const days = `2026-09-0${1 + (voter % 9)},2026-10-05`;
        if (listedCases.includes(voter))
          return `${voter},7,rejected-curable,${days},${backOn(voter, 1)},`;
        return `${voter},7,${voter < 100 ? `accepted,${days},2026-10-20` : `sent,${days},`},`;
      });
      const all = await office.import('beacon-ballots', [header, ...rows, ''].join('\n'));
      const listed = listedCases.map((voter) => `${voter},${backOn(voter, 0)},Not signed,Open`);
      const list = (more: Approval = {}) =>
        office.import(cases, ['Voter,Received,Problem,State', ...listed, ''].join('\n'), {
          election: '7',
          ...more,
        });
      return { all, list };
    };
    const first = await importNew(1);
    expect(reasonsOf(first.all)).toEqual(['done']);
    const waits = await first.list();
    expect(reasonsOf(waits)).toEqual(['file-held', 'other-dates']);
    await approve(waits, first.list);
    nextDay();
    const second = await importNew(2);
    expect([reasonsOf(second.all), reasonsOf(await second.list())]).toEqual([['done'], ['done']]);
    nextDay();
    const third = await importNew(3);
    expect([reasonsOf(third.all), reasonsOf(await third.list())]).toEqual([['done'], ['done']]);
  });

  test('do not wait where the office’s list says why of a few cases alone', async () => {
    expect(reasonsOf(await importOwn(0, 0, 5))).toEqual(['done']);
    expect(reasonsOf(await importOpen())).toEqual(['done']);
    nextDay();
    expect(reasonsOf(await importOwn(1, 0, 5))).toEqual(['done']);
    expect(reasonsOf(await importOpen())).toEqual(['done']);
    // The reasons that it gave itself it may not lose.
    nextDay();
    expect(reasonsOf(await importOwn(2, 0))).toEqual(['file-held', 'reasons-missing']);
  });
});
