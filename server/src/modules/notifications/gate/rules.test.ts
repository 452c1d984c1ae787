import { describe, expect, test } from 'vitest';
import {
  countByStatus,
  type GateElection,
  type GateFacts,
  usualChanges,
  weighImport,
} from './rules.ts';

const election: GateElection = {
  number: '7',
  date: '2026-11-03',
  day: 'Nov 3',
  ballots: 1_000,
  isFirstFile: false,
  changes: [],
  inFuture: 0,
  outOfSeason: 0,
};

function reasonsOf(more: Partial<GateElection>, facts: Partial<GateFacts> = {}): string[] {
  return weigh(more, facts).map(({ code }) => code);
}

function weigh(more: Partial<GateElection>, facts: Partial<GateFacts> = {}) {
  return weighImport({
    today: '2026-10-20',
    elections: [{ ...election, ...more }],
    history: {},
    gaps: [],
    blankNames: 0,
    ...facts,
  });
}

const change = (to: string, count: number, from: string | null = 'sent') => ({ from, to, count });

describe('an import’s messages', () => {
  test('go out when nothing is unusual', () => {
    expect(
      weighImport({ today: '2026-10-20', elections: [], history: {}, gaps: [], blankNames: 0 }),
    ).toEqual([]);
    expect(reasonsOf({ changes: [change('returned', 150)] })).toEqual([]);
  });

  test.each([
    // The share of the election's ballots, in percent, that one import may bring into the status.
    ['return-in-transit', 25],
    ['returned', 15],
    ['accepted', 15],
    ['application-received', 25],
    ['application-approved', 25],
    ['in-person', 10],
    ['undeliverable', 3],
    ['reprinted', 3],
    ['application-incomplete', 3],
    ['application-refused', 2],
    ['cancelled', 2],
    ['not-counted', 2],
    ['rejected-curable', 2],
    ['rejected', 2],
    ['a-status-of-tomorrow', 2],
  ])('into %s wait above %d percent of the ballots', (status, percent) => {
    const ballots = 10_000;
    const allowed = (percent * ballots) / 100;
    const from = status === 'reprinted' ? 'cancelled' : 'sent';
    expect(reasonsOf({ ballots, changes: [change(status, allowed, from)] })).toEqual([]);
    const [reason, ...others] = weigh({ ballots, changes: [change(status, allowed + 1, from)] });
    expect(others).toEqual([]);
    expect(reason?.code).toBe('volume');
    expect(reason?.detail).toBe(
      `Election 7: ${allowed + 1} ballots became ${status} at once; up to ${allowed} of its 10000 would be normal.`,
    );
  });

  test.each(['requested', 'printed', 'sent', 'in-transit', 'delivered', 'counted'])(
    'into %s may be of a whole election',
    (status) => {
      expect(reasonsOf({ changes: [change(status, 1_000, 'in-transit')] })).toEqual([]);
      expect(reasonsOf({ changes: [change(status, 1_001, 'in-transit')] })).toEqual(['volume']);
    },
  );

  test('never wait for a number that every small county has', () => {
    expect(reasonsOf({ ballots: 30, changes: [change('rejected', 25)] })).toEqual([]);
    expect(reasonsOf({ ballots: 30, changes: [change('rejected', 26)] })).toEqual(['volume']);
    expect(usualChanges('rejected', {})).toBe(25);
  });

  test('may be three times as many as an earlier import brought', () => {
    const history = { rejected: 40 };
    expect(usualChanges('rejected', history)).toBe(120);
    expect(usualChanges('accepted', history)).toBe(25);
    expect(reasonsOf({ changes: [change('rejected', 120)] }, { history })).toEqual([]);
    expect(reasonsOf({ changes: [change('rejected', 121)] }, { history })).toEqual(['volume']);
  });

  test('wait when many envelopes suddenly need a fix, whatever an earlier file brought', () => {
    const fixes = (count: number, ballots: number) =>
      reasonsOf(
        { ballots, changes: [change('rejected-curable', count, 'returned')] },
        {
          history: { 'rejected-curable': 400 },
        },
      );
    expect(fixes(500, 10_000)).toEqual(['volume']);
    expect(fixes(20, 400)).toEqual(['volume']);
    expect(fixes(200, 10_000)).toEqual([]);
    expect(fixes(10, 100)).toEqual([]);
  });

  test('are counted over all that lead to one status', () => {
    const changes = [change('rejected', 13), change('rejected', 13, 'returned'), change('sent', 1)];
    expect(countByStatus(changes)).toEqual({ rejected: 26, sent: 1 });
    expect(reasonsOf({ ballots: 100, changes })).toEqual(['volume']);
  });

  test.each([
    ['accepted', 'requested'],
    ['accepted', 'printed'],
    ['accepted', 'sent'],
    ['accepted', 'returned'],
    ['accepted', 'undeliverable'],
    ['in-person', 'requested'],
    ['in-person', 'printed'],
    ['in-person', 'sent'],
    ['returned', 'requested'],
    ['returned', 'printed'],
    ['returned', 'sent'],
    ['sent', 'requested'],
    ['sent', 'printed'],
    ['printed', 'requested'],
    [null, 'returned'],
    [null, 'accepted'],
    [null, 'rejected'],
    [null, 'rejected-curable'],
    [null, 'undeliverable'],
  ])('from %s to %s wait when they are many', (from, to) => {
    expect(reasonsOf({ changes: [change(to, 3, from)] })).toEqual([]);
    expect(weigh({ changes: [change(to, 4, from)] })).toEqual([
      {
        code: 'unusual-jumps',
        detail: `Election 7: 4 of 4 changes are unusual: 4 from ${from ?? 'unknown'} to ${to}.`,
      },
    ]);
    // More than one in fifty of all changes.
    const ordinary = (count: number) => [change(to, 4, from), change('delivered', count)];
    expect(reasonsOf({ changes: ordinary(195) })).toEqual(['unusual-jumps']);
    expect(reasonsOf({ changes: ordinary(196) })).toEqual([]);
  });

  test('list every kind of jump, and no ordinary change', () => {
    const changes = [
      change('sent', 3, 'printed'),
      change('sent', 2, 'accepted'),
      change('printed', 3, 'sent'),
    ];
    const [reason] = weigh({ changes });
    expect(reason?.detail).toBe(
      'Election 7: 5 of 8 changes are unusual: 2 from accepted to sent, 3 from sent to printed.',
    );
  });

  test('of an election’s first file may begin anywhere, but not run backward', () => {
    const first = { isFirstFile: true };
    expect(reasonsOf({ ...first, changes: [change('accepted', 20, null)] })).toEqual([]);
    expect(reasonsOf({ ...first, changes: [change('sent', 20, 'accepted')] })).toEqual([
      'unusual-jumps',
    ]);
  });

  test('wait when many are dated in the future or outside the season', () => {
    const dated = (inFuture: number, outOfSeason: number) => ({
      changes: [change('returned', 100)],
      inFuture,
      outOfSeason,
    });
    expect(reasonsOf(dated(2, 1))).toEqual([]);
    expect(weigh(dated(2, 2))).toEqual([
      {
        code: 'dates-off',
        detail: 'Election 7: 2 changes are dated in the future and 2 outside its season.',
      },
    ]);
  });

  test('wait from 46 days after the election, and until 150 days before it', () => {
    expect(reasonsOf({}, { today: '2026-12-18' })).toEqual([]);
    expect(weigh({}, { today: '2026-12-19' })).toEqual([
      {
        code: 'election-over',
        detail: 'Election 7 was on Nov 3, and it is still marked active.',
      },
    ]);
    expect(reasonsOf({}, { today: '2026-06-06' })).toEqual([]);
    expect(weigh({}, { today: '2026-06-05' })).toEqual([
      { code: 'election-far', detail: 'Election 7 is on Nov 3, 151 days from now.' },
    ]);
  });

  test('wait for a single empty place, and a single nameless voter', () => {
    expect(weigh({}, { gaps: ['sms.sent name', 'email.sent office'], blankNames: 1 })).toEqual([
      {
        code: 'empty-placeholder',
        detail: 'These would have been empty in the messages: sms.sent name, email.sent office.',
      },
      { code: 'blank-names', detail: '1 messages are to voters without a name on the roll.' },
    ]);
  });

  test('give the reasons of each election', () => {
    const over = { ...election, date: '2026-08-01' };
    const far = { ...election, number: '8', date: '2027-11-02' };
    const facts = { elections: [over, far] };
    expect(weigh({}, facts).map(({ code }) => code)).toEqual(['election-over', 'election-far']);
  });
});
