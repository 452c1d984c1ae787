import { expect, test } from 'vitest';
import { moveDemoDays, weeksMoved, weeksSinceDemo } from './demo-days.ts';

test.each([
  ['2026-01-01T00:00:00Z', 0],
  ['2026-11-21T05:00:00Z', 0],
  ['2026-11-28T04:59:59.999Z', 0],
  ['2026-11-28T05:00:00Z', 1],
  ['2027-11-20T05:00:00Z', 52],
])('as of %s the demo’s days move by %s weeks', (now, weeks) => {
  expect(weeksSinceDemo(new Date(now))).toBe(weeks);
});

test('by how many weeks a day was moved can be read from it, over a change of the clocks too', () => {
  for (const weeks of [0, 1, 16, 52])
    expect(weeksMoved('2026-10-31', moveDemoDays('2026-10-31', weeks))).toBe(weeks);
});

test('days move in both ways of writing them, in names of files and before times; births and numbers stay', () => {
  const text = `exported_on,2026-11-20
"990104010","07/09/1975","12/08/2026",2026-11-20T18:05:00,2026-12-31
ballots/BTVbmStatus2026-11-06T1800.csv 12026-11-06 2026-11-061 112/08/2026 990120261108`;
  expect(moveDemoDays(text, 4)).toBe(`exported_on,2026-12-18
"990104010","07/09/1975","01/05/2027",2026-12-18T18:05:00,2027-01-28
ballots/BTVbmStatus2026-12-04T1800.csv 12026-11-06 2026-11-061 112/08/2026 990120261108`);
  expect(moveDemoDays(text, 0)).toBe(text);
});
