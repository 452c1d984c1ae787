import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CureRule } from './rule.ts';
import { listWays, type OfficeWays } from './ways.ts';

const office: OfficeWays = {
  online_form: 'https://office.example/fix',
  text_service: { keyword: 'FIX', number: '28683' },
  email: 'fix@office.example',
  fax: '(850) 555-0119',
  mail_address: 'P.O. Box 1',
  drop_boxes: '100 Pier Street',
  visit_address: '100 Pier Street',
};
const noOffice: OfficeWays = {
  ...{ online_form: null, text_service: null, email: '', fax: '' },
  ...{ mail_address: '', drop_boxes: '', visit_address: '' },
};
const rule = { ways: ['in-person', 'mail', 'provisional', 'new-ballot'] } as unknown as CureRule;
const election = { electionDate: '2026-11-03', timeZone: 'America/New_York', hours: [] };
const deadline = '2026-11-05T17:00:00-05:00';

const waysAt = (now: string, given = office, at: string | null = deadline) =>
  listWays(rule, given, { ...election, now: new Date(now), deadline: at }).map(({ way }) => way);

test('what arrives at once comes first, and what is carried goes when it could be late', () => {
  expect(waysAt('2026-10-20T12:00:00Z')).toEqual(
    'online text in-person email fax drop-box mail provisional new-ballot'.split(' '),
  );
  // Six days before: no letter is sure to arrive, and a new ballot would not come and go.
  expect(waysAt('2026-10-30T12:00:00Z')).toEqual(
    'online text in-person email fax drop-box provisional'.split(' '),
  );
  // The last night: the polls have closed, and a drop box may not be emptied.
  expect(waysAt('2026-11-04T03:00:00Z')).toEqual('online text in-person email fax'.split(' '));
  expect(waysAt('2026-11-05T22:00:00Z')).toEqual([]);
});

test('each way says until when it is sure, on the office’s clock of that day', () => {
  const now = new Date('2026-10-20T12:00:00Z');
  const ways = listWays(rule, office, { ...election, now, deadline });
  expect(Object.fromEntries(ways.map(({ way, until }) => [way, until]))).toEqual({
    ...{ online: deadline, text: deadline, 'in-person': deadline, email: deadline, fax: deadline },
    'drop-box': '2026-11-03T17:00:00-05:00',
    // Before the clocks change.
    mail: '2026-10-29T18:00:00-04:00',
    provisional: '2026-11-03T18:00:00-05:00',
    'new-ballot': '2026-10-27T18:00:00-04:00',
  });
});

test('a way without the address it needs is not offered; the office’s counter and the polls need none', () => {
  expect(waysAt('2026-10-20T12:00:00Z', noOffice)).toEqual([
    'in-person',
    'provisional',
    'new-ballot',
  ]);
});

test('without a known deadline nothing is offered that could be late', () => {
  const ways = waysAt('2026-10-20T12:00:00Z', office, null);
  expect(ways).not.toContain('mail');
  expect(ways).not.toContain('drop-box');
  expect(ways).toContain('online');
});

test('no way is offered at or after the moment from which it is too late', () => {
  const day = 86_400_000;
  const moment = fc
    .integer({ min: -30 * 24, max: 10 * 24 })
    .map((hours) => new Date(Date.parse(deadline) + (hours / 24) * day));
  fc.assert(
    fc.property(moment, moment, (now, later) => {
      const at = { ...election, deadline };
      const ways = listWays(rule, office, { ...at, now });
      for (const { until } of ways)
        expect(Date.parse(until as string)).toBeGreaterThan(now.getTime());
      // What is open later was open before.
      const open = new Set(ways.map(({ way }) => way));
      if (later >= now)
        for (const { way } of listWays(rule, office, { ...at, now: later }))
          expect(open).toContain(way);
    }),
  );
});
