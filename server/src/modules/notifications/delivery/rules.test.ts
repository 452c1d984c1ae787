import {
  consentActions,
  messageKinds,
  messageStates,
  suppressionReasons,
} from '@ballot-beacon/contract/messages';
import { ballotStatuses } from '@ballot-beacon/contract/statuses';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../testing/runs.ts';
import { isWithinHours } from '../hours.ts';
import { backoffMs, decideSend, maximumAttempts, type SendFacts } from './rules.ts';

const now = Date.parse('2026-10-20T15:00:00Z');
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '30'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);
const hours = fc.option(
  fc.record({ start: clock, end: clock }).filter(({ start, end }) => start !== end),
);
const status = fc.option(fc.constantFrom(...ballotStatuses));

/** Anything, but most often `usual`, so that most of a property's runs reach what it says. */
const mostly = <T>(usual: T, any: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: any });

const facts = (kind: fc.Arbitrary<SendFacts['kind']>): fc.Arbitrary<SendFacts> =>
  fc.record({
    kind,
    isAnswer: fc.boolean(),
    status,
    createdAt: fc.integer({ min: 0, max: 10 * 24 * 60 }).map((m) => new Date(now - m * 60_000)),
    consent: mostly<SendFacts['consent']>(
      'confirmed',
      fc.option(fc.constantFrom(...consentActions)),
    ),
    suppression: mostly<SendFacts['suppression']>(
      null,
      fc.option(fc.constantFrom(...suppressionReasons)),
    ),
    isWanted: mostly(true, fc.boolean()),
    isVoterActive: mostly(true, fc.boolean()),
    isOffered: mostly(true, fc.boolean()),
    currentStatus: status,
    isElectionActive: mostly<SendFacts['isElectionActive']>(true, fc.option(fc.boolean())),
    isTooLateToReturn: fc.constant(false),
    isImportWaiting: mostly(false, fc.boolean()),
    isImportCorrected: fc.constant(false),
    isRestoring: mostly(false, fc.boolean()),
    correctedState: fc.option(fc.constantFrom(...messageStates)),
    hours,
    timeZone: fc.constantFrom('America/New_York', 'Pacific/Honolulu', 'Etc/UTC'),
    fixBy: fc.constant(null),
    isStopped: fc.constant(true),
    isFeedLate: fc.constant(false),
    isOfEarlierProblem: fc.constant(false),
    isOfEarlierMoment: fc.constant(false),
  });
const anything = facts(fc.constantFrom(...messageKinds));
const unasked = (fact: SendFacts): SendFacts => ({ ...fact, isAnswer: false });
const news = facts(fc.constantFrom('status', 'catch-up', 'correction')).map(unasked);
const corrections = facts(fc.constant('correction')).map(unasked);

function sends(facts: SendFacts): boolean {
  return decideSend(facts, now).action === 'send';
}

/** News that goes out; each case below changes what it is about. */
const sendable: SendFacts = {
  kind: 'status',
  isAnswer: false,
  status: 'sent',
  createdAt: new Date(now - 60_000),
  consent: 'confirmed',
  suppression: null,
  isWanted: true,
  isVoterActive: true,
  isOffered: true,
  currentStatus: 'sent',
  isElectionActive: true,
  isTooLateToReturn: false,
  isImportWaiting: false,
  isImportCorrected: false,
  isRestoring: false,
  correctedState: null,
  hours: null,
  timeZone: 'America/New_York',
  fixBy: null,
  isStopped: false,
  isFeedLate: false,
  isOfEarlierProblem: false,
  isOfEarlierMoment: false,
};
const threeDays = 3 * 24 * 3_600_000;
const send = { action: 'send' };
const ends = (state: string, code: string) => ({ action: 'end', state, code });
const age = (ms: number) => ({ createdAt: new Date(now - ms) });
const correction = { kind: 'correction', status: null } as const;
const nothingToCorrect = ends('withdrawn', 'nothing-to-correct');

test.each<readonly [Partial<SendFacts>, object]>([
  [{}, send],
  [{ isImportWaiting: true }, { action: 'hold', code: 'import-held' }],
  [{ isImportCorrected: true }, { action: 'end', state: 'withdrawn', code: 'import-corrected' }],
  ...(
    ['status', 'catch-up', 'correction', 'news-waiting', 'fix-reminder', 'stopped-mail'] as const
  ).map(
    (kind) =>
      [
        { kind, isRestoring: true },
        { action: 'hold', code: 'restored' },
      ] as const,
  ),
  ...(['opt-in', 'welcome', 'change', 'registered'] as const).map(
    (kind) => [{ kind, isRestoring: true }, send] as const,
  ),
  [{ suppression: 'bounced' }, ends('withdrawn', 'suppressed')],
  [{ suppression: 'unsubscribed' }, ends('withdrawn', 'suppressed')],
  [{ kind: 'change', suppression: 'unsubscribed' }, send],
  [{ kind: 'change', suppression: 'bounced' }, ends('withdrawn', 'suppressed')],
  [{ kind: 'registered', suppression: 'unsubscribed' }, ends('withdrawn', 'suppressed')],
  [{ consent: null }, ends('withdrawn', 'no-consent')],
  [{ consent: 'withdrawn' }, ends('withdrawn', 'no-consent')],
  [{ consent: 'asked' }, send],
  [{ isWanted: false }, ends('withdrawn', 'not-wanted')],
  [{ isVoterActive: false }, ends('withdrawn', 'voter-inactive')],
  [{ isOffered: false }, ends('withdrawn', 'not-offered')],
  ...(['change', 'registered'] as const).map(
    (kind) => [{ kind, consent: null, isWanted: false, isVoterActive: false }, send] as const,
  ),
  [{ ...correction, correctedState: 'sent' }, send],
  [{ ...correction, correctedState: 'delivered' }, send],
  [{ ...correction, correctedState: 'outcome-unknown' }, send],
  [
    { ...correction, correctedState: 'sending' },
    { action: 'defer', until: now + 10_000 },
  ],
  [{ ...correction, correctedState: null }, nothingToCorrect],
  [{ ...correction, correctedState: 'failed-permanent' }, nothingToCorrect],
  [{ currentStatus: 'accepted' }, ends('superseded', 'newer-status')],
  [{ currentStatus: 'delivered' }, send],
  [{ currentStatus: 'return-in-transit' }, ends('superseded', 'newer-status')],
  [{ status: 'printed', currentStatus: 'in-transit' }, ends('superseded', 'newer-status')],
  [{ status: 'accepted', currentStatus: 'delivered' }, ends('superseded', 'newer-status')],
  [{ currentStatus: 'a-word-of-tomorrow' }, ends('superseded', 'newer-status')],
  [{ currentStatus: null }, send],
  [{ isElectionActive: false }, ends('expired', 'election-over')],
  [{ isElectionActive: null }, send],
  [{ isTooLateToReturn: true }, ends('expired', 'deadline-over')],
  [{ status: null, currentStatus: 'accepted', isElectionActive: false }, send],
  [age(threeDays), send],
  [age(threeDays + 1), ends('expired', 'too-old')],
  [{ kind: 'opt-in', ...age(threeDays + 1) }, send],
  [{ kind: 'welcome', ...age(threeDays + 1) }, send],
  [{ kind: 'change', ...age(threeDays + 1) }, ends('expired', 'too-old')],
  // 11 in the morning in New York, and five in Honolulu.
  [{ hours: { start: '11:00', end: '12:00' } }, send],
  [
    { hours: { start: '12:00', end: '13:00' } },
    { action: 'defer', until: Date.parse('2026-10-20T16:00:00Z') },
  ],
  [{ kind: 'change', isAnswer: true, hours: { start: '12:00', end: '13:00' } }, send],
  [
    { hours: { start: '11:00', end: '12:00' }, timeZone: 'Pacific/Honolulu' },
    { action: 'defer', until: Date.parse('2026-10-20T21:00:00Z') },
  ],
])('a message with %o: %o', (facts, decision) => {
  expect(decideSend({ ...sendable, ...facts }, now)).toEqual(decision);
});

test('an attempt waits 15 seconds at first, twice as long each time, and an hour at most', () => {
  const waits = (random: number) => [1, 2, 3, 8, 9, 10].map((n) => backoffMs(n, random));
  expect(waits(0.5)).toEqual([15_000, 30_000, 60_000, 1_920_000, 3_600_000, 3_600_000]);
  expect(waits(0)).toEqual([7_500, 15_000, 30_000, 960_000, 1_800_000, 1_800_000]);
});

describe('news of a ballot', () => {
  test('goes to nobody without a consent in force, an address in use and a place on the roll', () => {
    fc.assert(
      fc.property(news, (facts) => {
        if (!sends(facts)) return;
        expect(['asked', 'confirmed']).toContain(facts.consent);
        expect(facts).toMatchObject({ isWanted: true, isVoterActive: true, suppression: null });
      }),
      { numRuns: runs(3000) },
    );
  });

  test('goes out within the hours, and never from an import that waits for approval', () => {
    fc.assert(
      fc.property(news, (facts) => {
        if (!sends(facts)) return;
        expect(isWithinHours(now, facts.hours, facts.timeZone)).toBe(true);
        expect(facts.isImportWaiting).toBe(false);
      }),
      { numRuns: runs(3000) },
    );
  });

  test('is never older than three days, and never of an election that is over', () => {
    fc.assert(
      fc.property(news, (facts) => {
        if (!sends(facts)) return;
        expect(now - facts.createdAt.getTime()).toBeLessThanOrEqual(3 * 24 * 3_600_000);
        if (facts.kind !== 'correction' && facts.status !== null)
          expect(facts.isElectionActive).not.toBe(false);
      }),
      { numRuns: runs(3000) },
    );
  });

  test('a correction goes only to who may have received the wrong message', () => {
    fc.assert(
      fc.property(corrections, (facts) => {
        if (!sends(facts)) return;
        expect(['sent', 'delivered', 'outcome-unknown']).toContain(facts.correctedState);
      }),
      { numRuns: runs(3000) },
    );
  });
});

test('what is put off is put off to a moment when it may go, never to the past', () => {
  fc.assert(
    fc.property(anything, (facts) => {
      const decision = decideSend(facts, now);
      if (decision.action !== 'defer') return;
      expect(decision.until).toBeGreaterThan(now);
      if (facts.correctedState !== 'sending')
        expect(isWithinHours(decision.until, facts.hours, facts.timeZone)).toBe(true);
    }),
    { numRuns: runs(3000) },
  );
});

test('a notice to an old address goes at once, at any hour, unless its owner stopped us or it fails', () => {
  fc.assert(
    fc.property(anything, (facts) => {
      const notice = { ...facts, kind: 'change', isAnswer: true, status: null } as const;
      const isYoung = now - facts.createdAt.getTime() <= 3 * 24 * 3_600_000;
      const mayGo = facts.suppression === null || facts.suppression === 'unsubscribed';
      if (!facts.isImportWaiting) expect(sends(notice)).toBe(isYoung && mayGo);
    }),
    { numRuns: 1000 },
  );
});

test('a voter’s own text is always answered', () => {
  fc.assert(
    fc.property(
      anything,
      fc.constantFrom('confirmed', 'stopped', 'help', 'opt-in'),
      (facts, kind) => {
        expect(sends({ ...facts, kind, isAnswer: true })).toBe(true);
      },
    ),
  );
});

test('an attempt waits longer each time, at most an hour and a half, and all of them end within half a day', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 0.999, noNaN: true }), (random) => {
      const waits = Array.from({ length: maximumAttempts }, (_, n) => backoffMs(n + 1, random));
      for (const [index, wait] of waits.entries()) {
        expect(wait).toBeGreaterThanOrEqual(waits[index - 1] ?? 0);
        expect(wait).toBeLessThanOrEqual(5_400_000);
      }
      expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(12 * 3_600_000);
    }),
  );
});

describe('A message about an envelope that stopped in the mail', () => {
  const stopped: SendFacts = { ...sendable, kind: 'stopped-mail', status: null, isStopped: true };
  test.each<[string, Partial<SendFacts>, object]>([
    ['goes while the envelope is stopped', {}, { action: 'send' }],
    [
      'ends once it moves, arrives, or is one of many at a facility',
      { isStopped: false },
      { action: 'end', state: 'superseded', code: 'not-stopped' },
    ],
    [
      'ends with the election',
      { isElectionActive: false },
      { action: 'end', state: 'expired', code: 'election-over' },
    ],
    [
      'waits while the newest files are too old',
      { isFeedLate: true },
      { action: 'defer', until: now + 600_000, code: 'feed-late' },
    ],
  ])('%s', (_, facts, decision) => {
    expect(decideSend({ ...stopped, ...facts }, now)).toEqual(decision);
  });
});

describe('A reminder of an envelope to fix', () => {
  const reminder: SendFacts = {
    ...sendable,
    kind: 'fix-reminder',
    status: 'rejected-curable',
    currentStatus: 'rejected-curable',
    fixBy: now + 3_600_000,
  };
  test.each<[string, Partial<SendFacts>, object]>([
    ['goes while the voter can fix it', {}, { action: 'send' }],
    [
      'ends when any later record says otherwise',
      { currentStatus: 'returned' },
      { action: 'end', state: 'superseded', code: 'newer-status' },
    ],
    [
      'ends when the ballot has no status any more',
      { currentStatus: null },
      { action: 'end', state: 'superseded', code: 'newer-status' },
    ],
    [
      'ends at the deadline',
      { fixBy: now },
      { action: 'end', state: 'expired', code: 'deadline-over' },
    ],
    [
      'ends when nobody knows the deadline any more',
      { fixBy: null },
      { action: 'end', state: 'expired', code: 'deadline-over' },
    ],
    [
      'waits while the office’s newest file is too old',
      { isFeedLate: true },
      { action: 'defer', until: now + 600_000, code: 'feed-late' },
    ],
  ])('%s', (_, facts, decision) => {
    expect(decideSend({ ...reminder, ...facts }, now)).toEqual(decision);
  });
});
