import { expect, test } from 'vitest';
import { noClosures, parseClosures } from './calendar.ts';
import { findDeadline } from './find-deadline.ts';
import type { Defect, ElectionKind } from './rule.ts';
import { isLikelyFixDay } from './rules.ts';
import { listStates, readStateRules } from './states.ts';

interface Published {
  readonly state: string;
  readonly election: string;
  readonly deadline: string;
  readonly defect?: Defect;
  readonly kind?: ElectionKind;
  readonly closed?: string;
  readonly certification?: string;
  readonly notice?: string;
  readonly timeZone?: string;
}

/** Deadlines that states and offices printed themselves. */
const published: readonly Published[] = [
  { state: 'CO', election: '2020-11-03', deadline: '2020-11-12T23:59:00-07:00' },
  { state: 'AZ', election: '2020-11-03', deadline: '2020-11-10T17:00:00-07:00' },
  {
    state: 'AZ',
    election: '2020-11-03',
    kind: 'federal',
    closed: 'fri,2020-11-11',
    deadline: '2020-11-12T17:00:00-07:00',
  },
  {
    state: 'AZ',
    election: '2020-11-03',
    defect: 'signature-missing',
    deadline: '2020-11-03T19:00:00-07:00',
  },
  { state: 'TX', election: '2024-11-05', deadline: '2024-11-12T17:00:00-06:00' },
  { state: 'NV', election: '2024-11-05', deadline: '2024-11-12T17:00:00-08:00' },
  { state: 'NV', election: '2020-11-03', deadline: '2020-11-12T17:00:00-08:00' },
  { state: 'GA', election: '2020-11-03', deadline: '2020-11-06T17:00:00-05:00' },
  { state: 'NC', election: '2020-11-03', deadline: '2020-11-12T17:00:00-05:00' },
  // Veterans Day is a Saturday, and Georgia keeps the Friday before it.
  {
    state: 'GA',
    election: '2023-11-07',
    kind: 'municipal',
    deadline: '2023-11-13T17:00:00-05:00',
  },
  { state: 'GA', election: '2021-01-05', kind: 'runoff', deadline: '2021-01-08T17:00:00-05:00' },
  { state: 'OR', election: '2022-05-17', kind: 'primary', deadline: '2022-06-07T17:00:00-07:00' },
];

/** Deadlines that follow from the rules; no office printed them. */
const workedOut: readonly Published[] = [
  { state: 'GA', election: '2028-11-07', deadline: '2028-11-13T17:00:00-05:00' },
  // The third day after the runoff is Juneteenth.
  { state: 'GA', election: '2026-06-16', kind: 'runoff', deadline: '2026-06-22T17:00:00-04:00' },
  { state: 'TX', election: '2024-05-28', kind: 'runoff', deadline: '2024-06-03T17:00:00-05:00' },
  { state: 'AZ', election: '2022-03-08', kind: 'runoff', deadline: '2022-03-11T17:00:00-07:00' },
  // The clocks go forward on March 10, 2024.
  {
    state: 'CO',
    election: '2024-03-05',
    kind: 'presidential-primary',
    deadline: '2024-03-13T23:59:00-06:00',
  },
  { state: 'TX', election: '2024-03-05', kind: 'primary', deadline: '2024-03-11T17:00:00-05:00' },
  // Over a year's end, and over a leap day.
  { state: 'CO', election: '2024-12-26', kind: 'special', deadline: '2025-01-03T23:59:00-07:00' },
  { state: 'NV', election: '2028-02-24', kind: 'special', deadline: '2028-03-01T17:00:00-08:00' },
  // Family Day is the day after Thanksgiving, also in a year whose November begins on a Friday.
  { state: 'NV', election: '2024-11-23', kind: 'special', deadline: '2024-12-02T17:00:00-08:00' },
  { state: 'NV', election: '2024-11-16', kind: 'special', deadline: '2024-11-22T17:00:00-08:00' },
  // New York keeps no Friday for a holiday on a Saturday, and each general election day, in odd years too.
  {
    state: 'NY',
    election: '2026-06-23',
    kind: 'primary',
    notice: '2026-06-25',
    deadline: '2026-07-06T17:00:00-04:00',
  },
  {
    state: 'NY',
    election: '2025-11-04',
    kind: 'local',
    notice: '2025-10-31',
    deadline: '2025-11-13T17:00:00-05:00',
  },
  // A notice on a Friday: the weekend does not count.
  {
    state: 'NY',
    election: '2024-11-05',
    notice: '2024-11-08',
    deadline: '2024-11-20T17:00:00-05:00',
  },
  { state: 'CO', election: '2022-11-08', deadline: '2022-11-16T23:59:00-07:00' },
  { state: 'CO', election: '2024-06-25', kind: 'primary', deadline: '2024-07-03T23:59:00-06:00' },
  { state: 'AZ', election: '2024-07-30', kind: 'primary', deadline: '2024-08-04T17:00:00-07:00' },
  { state: 'AZ', election: '2020-08-04', kind: 'primary', deadline: '2020-08-11T17:00:00-07:00' },
  { state: 'NV', election: '2022-11-08', deadline: '2022-11-14T17:00:00-08:00' },
  { state: 'NV', election: '2024-06-11', kind: 'primary', deadline: '2024-06-17T17:00:00-07:00' },
  { state: 'TX', election: '2022-11-08', deadline: '2022-11-14T17:00:00-06:00' },
  // The sixth day is Memorial Day.
  { state: 'TX', election: '2022-05-24', kind: 'primary', deadline: '2022-05-31T17:00:00-05:00' },
  { state: 'GA', election: '2024-11-05', deadline: '2024-11-08T17:00:00-05:00' },
  // The third day is Veterans Day, then a weekend follows.
  { state: 'GA', election: '2022-11-08', deadline: '2022-11-14T17:00:00-05:00' },
  { state: 'OR', election: '2024-05-21', kind: 'primary', deadline: '2024-06-11T17:00:00-07:00' },
  { state: 'LA', election: '2026-11-03', deadline: '2026-11-02T16:30:00-06:00' },
  // Counties of one state keep two clocks.
  {
    state: 'FL',
    election: '2024-11-05',
    timeZone: 'America/Chicago',
    deadline: '2024-11-07T17:00:00-06:00',
  },
  {
    state: 'TX',
    election: '2024-11-05',
    timeZone: 'America/Denver',
    deadline: '2024-11-12T17:00:00-07:00',
  },
  {
    state: 'MI',
    election: '2024-11-05',
    timeZone: 'America/Menominee',
    deadline: '2024-11-08T17:00:00-06:00',
  },
  {
    state: 'OR',
    election: '2026-11-03',
    timeZone: 'America/Boise',
    deadline: '2026-11-24T17:00:00-07:00',
  },
  // No county of Colorado keeps Eastern time.
  {
    state: 'CO',
    election: '2020-11-03',
    timeZone: 'America/New_York',
    deadline: '2020-11-12T23:59:00-07:00',
  },
  // Offices work on Susan B. Anthony's birthday, February 15, and not on Lincoln's and Washington's.
  {
    state: 'NY',
    election: '2024-02-13',
    kind: 'special',
    notice: '2024-02-09',
    deadline: '2024-02-22T17:00:00-05:00',
  },
  { state: 'MI', election: '2024-11-05', deadline: '2024-11-08T17:00:00-05:00' },
  { state: 'FL', election: '2024-11-05', deadline: '2024-11-07T17:00:00-05:00' },
  { state: 'FL', election: '2026-11-03', deadline: '2026-11-05T17:00:00-05:00' },
  { state: 'GA', election: '2026-11-03', deadline: '2026-11-06T17:00:00-05:00' },
  { state: 'MI', election: '2026-11-03', deadline: '2026-11-06T17:00:00-05:00' },
  { state: 'NV', election: '2026-11-03', deadline: '2026-11-09T17:00:00-08:00' },
  { state: 'TX', election: '2026-11-03', deadline: '2026-11-09T17:00:00-06:00' },
  { state: 'AZ', election: '2026-11-03', deadline: '2026-11-08T17:00:00-07:00' },
  {
    state: 'AZ',
    election: '2026-11-03',
    kind: 'local',
    deadline: '2026-11-06T17:00:00-07:00',
  },
  { state: 'CO', election: '2026-11-03', deadline: '2026-11-12T23:59:00-07:00' },
  { state: 'AZ', election: '2022-11-08', deadline: '2022-11-16T17:00:00-07:00' },
  { state: 'AZ', election: '2024-11-05', deadline: '2024-11-10T17:00:00-07:00' },
  { state: 'OR', election: '2020-11-03', deadline: '2020-11-17T17:00:00-08:00' },
  { state: 'OR', election: '2022-11-08', deadline: '2022-11-29T17:00:00-08:00' },
  { state: 'OR', election: '2026-11-03', deadline: '2026-11-24T17:00:00-08:00' },
  { state: 'CA', election: '2026-11-03', deadline: '2026-11-25T17:00:00-08:00' },
  {
    state: 'CA',
    election: '2024-11-05',
    certification: '2024-12-03',
    deadline: '2024-12-01T17:00:00-08:00',
  },
  {
    state: 'WA',
    election: '2026-11-03',
    certification: '2026-11-24',
    deadline: '2026-11-23T16:30:00-08:00',
  },
  {
    state: 'NY',
    election: '2026-11-03',
    notice: '2026-11-05',
    deadline: '2026-11-17T17:00:00-05:00',
  },
  {
    state: 'NY',
    election: '2026-11-03',
    notice: '2026-10-05',
    deadline: '2026-11-02T17:00:00-05:00',
  },
];

test.each([...published, ...workedOut])(
  'the deadline of $state for $election ($defect $kind $closed) is $deadline',
  async ({ state, election, deadline, defect, kind, closed, certification, notice, timeZone }) => {
    const closures = parseClosures(closed ?? '');
    const found = await findDeadline({
      state,
      defect: defect ?? 'signature-differs',
      kind: kind ?? 'general',
      days: { election, certification, notice },
      closures: closures.ok ? closures.closures : noClosures,
      timeZone,
    });
    expect(found?.deadline).toEqual({ known: true, at: deadline });
    // An office may set what its state's law has.
    expect(isLikelyFixDay(deadline.slice(0, 10), election)).toBe(true);
  },
);

test('where the law counts from a day that is not given, or leaves it to counties, no date is guessed', async () => {
  const ask = async (state: string, election: string) => {
    const days = { election };
    const about = { defect: 'signature-differs', kind: 'general', closures: noClosures } as const;
    return (await findDeadline({ state, days, ...about }))?.deadline ?? 'no rule';
  };
  expect(await ask('WA', '2026-11-03')).toEqual({ known: false, missing: ['certification'] });
  expect(await ask('NY', '2026-11-03')).toEqual({ known: false, missing: ['notice'] });
  expect(await ask('PA', '2026-11-03')).toEqual({ known: false, missing: [] });
  expect(await ask('NC', '2026-11-03')).toBe('no rule');
  expect(await ask('ZZ', '2026-11-03')).toBe('no rule');
  // Before the law that the rule is from, another one applied.
  expect(await ask('FL', '2018-11-06')).toBe('no rule');
  expect(await ask('MI', '2022-11-08')).toBe('no rule');
  expect(await ask('TX', '2020-11-03')).toBe('no rule');
});

test('every state file is of the documented shape and says where each rule is from', () => {
  const states = listStates();
  expect(states).toEqual(
    expect.arrayContaining('CA CO AZ FL GA NC WA OR NV MI NY PA TX'.split(' ')),
  );
  for (const state of states) {
    const read = readStateRules(state.toLowerCase());
    expect(read?.state).toBe(state);
  }
});
