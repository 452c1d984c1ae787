import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { beforeAll, describe, expect, test } from 'vitest';
import { readMailDays } from './mail-days.ts';
import {
  adviseStop,
  findStop,
  foreseeStop,
  groupStops,
  type MailDays,
  type MailFacts,
  type StoppedEnvelope,
} from './rules.ts';
import { mailClassOf, thresholds } from './thresholds.ts';

let days: MailDays;
beforeAll(async () => {
  days = await readMailDays();
});

const after = (day: string, n: number) => Temporal.PlainDate.from(day).add({ days: n }).toString();
const day = fc.integer({ min: 0, max: 120 }).map((n) => after('2026-08-15', n));
const facts: fc.Arbitrary<MailFacts> = fc.record({
  direction: fc.constantFrom('outbound', 'inbound'),
  mailClass: fc.constantFrom('first-class', 'marketing', 'other'),
  sentOn: fc.option(day),
  lastSeenOn: fc.option(day),
  expectedOn: fc.option(day),
});
const mailed: MailFacts = {
  direction: 'outbound',
  mailClass: 'first-class',
  sentOn: '2026-11-02',
  lastSeenOn: null,
  expectedOn: null,
};

describe('An envelope counts as stopped', () => {
  test('five business days after First-Class Mail was sent and nobody saw it, without weekend and Veterans Day', () => {
    expect(findStop(mailed, '2026-11-09', days)).toBeNull();
    expect(findStop(mailed, '2026-11-10', days)).toEqual({
      reason: 'not-seen',
      threshold: '2026-11-09',
    });
    const later = { ...mailed, sentOn: '2026-11-09' };
    expect(foreseeStop(later, days)?.threshold).toBe('2026-11-17');
  });

  test('two business days after the day on which USPS expected to deliver it, or after a scan that came later', () => {
    const seen = { ...mailed, lastSeenOn: '2026-11-04', expectedOn: '2026-11-05' };
    expect(foreseeStop(seen, days)).toEqual({ reason: 'late', threshold: '2026-11-09' });
    expect(foreseeStop({ ...seen, lastSeenOn: '2026-11-09' }, days)).toEqual({
      reason: 'late',
      threshold: '2026-11-12',
    });
  });

  test('when nobody saw it again for seven business days, or twelve by Marketing Mail', () => {
    const seen = { ...mailed, lastSeenOn: '2026-11-12' };
    expect(foreseeStop(seen, days)).toEqual({ reason: 'no-scan', threshold: '2026-11-23' });
    expect(foreseeStop({ ...seen, mailClass: 'marketing' }, days)?.threshold).toBe('2026-12-01');
    // On one day that of the expected delivery says more.
    const reasons = ['2026-11-19', '2026-11-20'].map(
      (expectedOn) => foreseeStop({ ...seen, expectedOn }, days)?.reason,
    );
    expect(reasons).toEqual(['late', 'no-scan']);
  });

  test('when it was seen on its way back and the office has not recorded it for five business days', () => {
    const back: MailFacts = { ...mailed, direction: 'inbound', lastSeenOn: '2026-11-09' };
    expect(foreseeStop(back, days)).toEqual({ reason: 'not-received', threshold: '2026-11-17' });
    expect(foreseeStop({ ...back, lastSeenOn: null }, days)).toBeNull();
  });

  test('never on the day of its last scan, never before the last news from USPS, and from its threshold on for good', () => {
    fc.assert(
      fc.property(facts, day, fc.nat({ max: 60 }), (known, until, more) => {
        const stop = findStop(known, until, days);
        if (!stop) return;
        expect(stop.threshold < until).toBe(true);
        if (known.lastSeenOn !== null) expect(stop.threshold > known.lastSeenOn).toBe(true);
        expect(findStop(known, after(until, more), days)).toEqual(stop);
      }),
    );
  });

  test('no sooner after a later scan', () => {
    fc.assert(
      fc.property(facts, day, fc.nat({ max: 20 }), (known, seen, more) => {
        const earlier = foreseeStop({ ...known, lastSeenOn: seen }, days);
        const later = foreseeStop({ ...known, lastSeenOn: after(seen, more) }, days);
        expect((later?.threshold ?? '') >= (earlier?.threshold ?? '')).toBe(true);
      }),
    );
  });

  test('on a business day of the mail', () => {
    fc.assert(
      fc.property(facts, (known) => {
        const threshold = foreseeStop(known, days)?.threshold;
        if (threshold === undefined) return;
        expect(Temporal.PlainDate.from(threshold).dayOfWeek).toBeLessThan(6);
        expect(['2026-09-07', '2026-10-12', '2026-11-11', '2026-11-26']).not.toContain(threshold);
      }),
    );
  });
});

describe('What the voter is advised', () => {
  const of = (today: string, more: Partial<Parameters<typeof adviseStop>[0]> = {}) =>
    adviseStop({
      direction: 'outbound',
      today,
      deadlineOn: '2026-12-08',
      isOver: today > (more.deadlineOn ?? '2026-12-08'),
      replacementUntil: '2026-11-27',
      ...more,
    });

  test('changes seven days and two days before the deadline, and a replacement is offered as long as the law allows', () => {
    expect(of('2026-11-27')).toEqual({ advice: 'wait', replacementUntil: '2026-11-27' });
    expect(of('2026-11-30')).toEqual({ advice: 'wait', replacementUntil: null });
    expect(of('2026-12-01')).toEqual({ advice: 'drop-box', replacementUntil: null });
    expect(of('2026-12-01', { replacementUntil: '2026-12-04' })?.replacementUntil).toBe(
      '2026-12-04',
    );
    expect(of('2026-12-06')).toEqual({ advice: 'in-person', replacementUntil: null });
    expect(of('2026-12-08')).toEqual({ advice: 'in-person', replacementUntil: null });
  });

  test('ends with the deadline, but for a ballot on its way back', () => {
    expect(of('2026-12-09')).toBeNull();
    expect(of('2026-12-09', { direction: 'inbound' })?.advice).toBe('call');
  });

  test('never offers a replacement that is too late, nor mail in the last week', () => {
    fc.assert(
      fc.property(day, day, fc.option(day), (today, deadlineOn, replacementUntil) => {
        const advised = of(today, { deadlineOn, replacementUntil });
        if (!advised) {
          expect(today > deadlineOn).toBe(true);
          return;
        }
        const { replacementUntil: until } = advised;
        expect(until === null || until >= today).toBe(true);
        if (today <= deadlineOn)
          expect(advised.advice === 'wait').toBe(after(today, 7) < deadlineOn);
      }),
    );
  });
});

describe('Envelopes that stopped together', () => {
  const stop = { reason: 'no-scan', threshold: '2026-11-20' } as const;
  const envelope: fc.Arbitrary<StoppedEnvelope> = fc.record({
    stop: fc.constant(stop),
    facility: fc.option(fc.constantFrom('PORT ALDEN, FL 34811', 'SALTMARSH, FL 34818')),
    lastSeenOn: fc.option(fc.constantFrom('2026-11-10', '2026-11-12')),
    zip: fc.constantFrom('34811', '34812', ''),
  });

  test('are one notice from twenty at one facility on one day on, and each envelope is in one place alone', () => {
    fc.assert(
      fc.property(fc.array(envelope, { maxLength: 120 }), (stopped) => {
        const { incidents, single } = groupStops(stopped);
        const together = incidents.reduce((sum, { envelopes }) => sum + envelopes, 0);
        expect(together + single.length).toBe(stopped.length);
        for (const { envelopes, zips } of incidents) {
          expect(envelopes).toBeGreaterThanOrEqual(thresholds.incident.envelopes);
          expect(zips).toEqual([...new Set(zips)].filter(Boolean).sort());
        }
        const alike = Map.groupBy(single, (one) => `${one.facility} ${one.lastSeenOn}`);
        for (const [place, envelopes] of alike)
          if (!place.includes('null'))
            expect(envelopes.length).toBeLessThan(thresholds.incident.envelopes);
      }),
    );
  });
});

test('the class of mail comes from the barcode', () => {
  expect(mailClassOf('00716123456000000001')).toBe('first-class');
  expect(mailClassOf('00741000555990112047')).toBe('marketing');
  expect(mailClassOf('00999123456000000001')).toBe('other');
});
