import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ballotRange, birthRange, isDatePattern, readDay, rewriteDay } from './dates.ts';

const usual = ['MM/DD/YYYY', 'YYYY-MM-DD'];
const range = ballotRange('2026-11-21');

test.each([
  ['10/05/2026', '2026-10-05'],
  ['1/5/2026', '2026-01-05'],
  ['2026-10-05', '2026-10-05'],
  ['10/22/2024 12:00:00 AM', '2024-10-22'],
  ['10/22/2024 11:59:59 PM', '2024-10-22'],
  // The space that Java and .NET write before AM since 2023 is a narrow one, which looks like any other.
  ['10/22/2024 12:00:00\u202fAM', '2024-10-22'],
  ['10/22/2024\u00a011:59 p.m.', '2024-10-22'],
  ['2024-10-22T23:59:59Z', '2024-10-22'],
  // As PostgreSQL writes a moment, and a program with the offset after a space.
  ['2024-10-22 23:59:59.123456+00', '2024-10-22'],
  ['2024-10-22 23:59:59 -0700', '2024-10-22'],
  ['02/29/2024', '2024-02-29'],
])('%s is the day %s, whatever the time or zone after it', (text, day) => {
  expect(readDay(text, usual, range)).toEqual({ day });
});

test.each([
  ['02/29/2026', 'is a date that does not exist'],
  ['13/01/2026', 'is a date that does not exist'],
  ['00/10/2026', 'is a date that does not exist'],
  ['11/08/0202', 'is before 01/01/2000'],
  ['11/08/7020', 'is after 12/31/2027'],
  ['soon', 'is not a date written MM/DD/YYYY or YYYY-MM-DD'],
  ['20261005', 'is not a date written MM/DD/YYYY or YYYY-MM-DD'],
  ['46300', 'is a number in place of a date. In Excel, format the column as a date'],
])('%s is refused: it %s', (text, problem) => {
  expect(readDay(text, usual, range)).toEqual({ problem });
});

test.each([
  ['01/05/2026', '01/05/2026'],
  ['1/5/2026', '01/05/2026'],
  ['2026-01-05', '01/05/2026'],
  ['1/5/26', '01/05/2026'],
  ['01/05/2026 0:00', '01/05/2026'],
  ['1/5/2026 12:00:00 AM', '01/05/2026'],
  ['1/5/2026 12:00:00\u202fAM', '01/05/2026'],
  ['2026-01-05 00:00:00+00', '01/05/2026'],
  ['2026-01-05T00:00:00.000Z', '01/05/2026'],
  ['1/5/2026 10:15 AM', '01/05/2026 10:15 AM'],
  ['1/5/2026 10:15\u202fAM', '01/05/2026 10:15 AM'],
  ['01/05/2026 12:00:00 PM', '01/05/2026 12:00:00 PM'],
  ['13/01/2026', '13/01/2026'],
  ['soon', 'soon'],
  ['', ''],
])('%s within a number is always %s', (text, written) => {
  expect(rewriteDay(text, ['MM/DD/YYYY', 'MM/DD/YY', 'YYYY-MM-DD'])).toBe(written);
});

test('a day within a number is written by the first of the office’s patterns', () => {
  expect(rewriteDay('5-Oct-26', ['DD-MON-YY'])).toBe('05-OCT-26');
  expect(rewriteDay('10/5/2026', ['YYYYMMDD', 'MM/DD/YYYY'])).toBe('20261005');
});

describe('other offices write days otherwise', () => {
  test.each([
    ['20261005', 'YYYYMMDD', '2026-10-05'],
    ['5-OCT-26', 'DD-MON-YY', '2026-10-05'],
    ['October 5, 2026', 'MON DD, YYYY', '2026-10-05'],
    ['10.05.2026', 'MM.DD.YYYY', '2026-10-05'],
  ])('%s by %s', (text, pattern, day) => {
    expect(readDay(text, [pattern], range)).toEqual({ day });
  });

  test('a birth year of two digits is the latest that is not to come', () => {
    expect(readDay('01/02/27', ['MM/DD/YY'], birthRange('2026-11-21'))).toEqual({
      day: '1927-01-02',
    });
    expect(readDay('01/02/26', ['MM/DD/YY'], birthRange('2026-11-21'))).toEqual({
      day: '2026-01-02',
    });
  });

  test('a pattern that is none is known', () => {
    expect(['MM/DD/YYYY', 'YYYYMMDD', 'DD-MON-YY'].every(isDatePattern)).toBe(true);
    expect(['MM/YYYY', 'MM/DD/YYYY HH', 'DD/DD/YYYY', 'x'].some(isDatePattern)).toBe(false);
  });
});

test('every day of the calendar is read as itself', () => {
  const days = fc.date({
    min: new Date('2000-01-01'),
    max: new Date('2027-12-31'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(days, (date) => {
      const day = date.toISOString().slice(0, 10);
      const [year, month, dayOfMonth] = day.split('-');
      expect(readDay(day, usual, range)).toEqual({ day });
      expect(readDay(`${month}/${dayOfMonth}/${year}`, usual, range)).toEqual({ day });
    }),
  );
});
