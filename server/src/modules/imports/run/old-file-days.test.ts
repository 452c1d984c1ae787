import { describe, expect, test } from 'vitest';
import type { Election } from '../../accounts/index.ts';
import type { EarlierFile } from '../kinds/kind.ts';
import { explainOldFile, findNameDay, findNewest } from './old-file.ts';

const today = '2026-11-05';
const elections = [{ electionDate: '2026-11-03' }] as unknown as readonly Election[];
const bytes = (text: string) => Buffer.from(text);
const file = (importId: number, fileDay: string | null, text = String(importId)) =>
  ({ importId, fileDay, sha256: bytes(text) }) as unknown as EarlierFile;

describe('the day in a file’s name', () => {
  test.each([
    ['ballots-20261101.csv', '2026-11-01'],
    ['ballots_2026-11-01.csv', '2026-11-01'],
    ['2026.11.01 ballots.csv', '2026-11-01'],
    ['ballots 11-1-2026.csv', '2026-11-01'],
    ['ballots 11_01_2026.csv', '2026-11-01'],
    ['ballots11012026.csv', '2026-11-01'],
    ['ballots-20261105.csv', '2026-11-05'],
    // A time may follow without anything between.
    ['ballots-20261101063000.csv', '2026-11-01'],
    ['ballots202611011830.csv', '2026-11-01'],
    ['ballots_2026-11-01063000.csv', '2026-11-01'],
    ['ballots-20261101063000123.csv', '2026-11-01'],
    ['ballots_11-01-20261830.csv', '2026-11-01'],
    ['ballots110120261830.csv', '2026-11-01'],
    ['ballots-20261101246000.csv', null],
    // After today, of no calendar, or part of a longer number.
    ['ballots-20261106.csv', null],
    ['ballots-20260230.csv', null],
    ['ballots-20261301.csv', null],
    ['ballots-120261101.csv', null],
    ['ballots-202611011.csv', null],
    ['ballots-19991101.csv', null],
    ['ballots.csv', null],
    // Of two days nobody knows which; the same day twice is one.
    ['ballots-20261101-20261102.csv', null],
    ['ballots-20261101-2026-11-01.csv', '2026-11-01'],
    // The day of the election names the election.
    ['general-20261103.csv', null],
    ['general-20261103-20261101.csv', '2026-11-01'],
  ])('%s is of %s', (name, day) => expect(findNameDay(name, today, elections)).toBe(day));

  test('is the election’s own day on that day', () => {
    expect(findNameDay('general-20261103.csv', '2026-11-03', elections)).toBe('2026-11-03');
  });
});

describe('a file', () => {
  const earlier = [
    file(9, '2026-11-03'),
    file(8, null),
    file(7, '2026-11-04'),
    file(6, '2026-11-02'),
  ];
  const explain = (
    more: { text?: string | null; fileDay?: string | null; mayRecur?: boolean } = {},
    before: readonly EarlierFile[] = earlier,
  ) => {
    const { text = 'new', fileDay = null, mayRecur } = more;
    const sha256 = text === null ? null : bytes(text);
    const given = { sha256, fileDay, today, ...(mayRecur !== undefined && { mayRecur }) };
    return explainOldFile(given, before)?.detail;
  };

  test.each([
    ['2026-11-05', undefined],
    ['2026-11-04', undefined],
    [
      '2026-11-03',
      expect.stringMatching(/file of Nov 3; the file of Nov 4 is already in \(import 7\)/),
    ],
    [null, undefined],
  ])('of %s is older than what is in: %s', (fileDay, detail) => {
    expect(explain({ fileDay })).toEqual(detail);
  });

  test('of any day is new where no earlier one has a day', () => {
    expect(explain({ fileDay: '2020-01-01' }, [file(1, null)])).toBeUndefined();
    expect(explain({ fileDay: '2020-01-01' }, [])).toBeUndefined();
  });

  test('that came before is old, unless it came last', () => {
    expect(explain({ text: '8' })).toMatch(/same file as import 8\. .*beacon correct 9/);
    expect(explain({ text: '9' })).toBeUndefined();
    // It came before as well, and is the last again.
    expect(
      explain({ text: '9' }, [file(10, null, '9'), file(9, null, '8'), file(8, null, '9')]),
    ).toBeUndefined();
    expect(explain({ text: null })).toBeUndefined();
  });

  test('of a list that may recur is new on a later day', () => {
    expect(explain({ text: '8', mayRecur: true, fileDay: '2026-11-05' })).toBeUndefined();
    expect(explain({ text: '8', mayRecur: true, fileDay: '2026-11-04' })).toContain('same file');
    expect(explain({ text: '8', mayRecur: true })).toContain('same file');
    expect(explain({ text: '8', fileDay: '2026-11-05' })).toContain('same file');
  });

  test('is compared with the newest day, of which the later import is not named', () => {
    const dayOf = ({ fileDay }: EarlierFile) => fileDay;
    expect(findNewest(earlier, dayOf)).toEqual({ day: '2026-11-04', importId: 7 });
    expect(findNewest([file(2, '2026-11-01'), file(1, '2026-11-01')], dayOf)?.importId).toBe(2);
    expect(findNewest([], dayOf)).toBeNull();
  });
});
