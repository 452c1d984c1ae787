import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../testing/runs.ts';
import { createAdmission, type Place, type Visitor } from './admission.ts';

const limits = { requestsAtOnce: 3, voterWaitMs: 500, strangerWaitMs: 250 };

/** An admission whose time a test turns, and what became of everyone who came. */
function begin(given = limits) {
  let time = 0;
  const admission = createAdmission(
    given,
    () => 0,
    () => time,
  );
  const admitted: { visitor: Visitor; number: number; waitedMs: number; place: Place }[] = [];
  const refused: number[] = [];
  let count = 0;
  return {
    admission,
    admitted,
    refused,
    pass: (ms: number) => {
      time += ms;
    },
    come(visitor: Visitor) {
      const number = count;
      count += 1;
      if (admission.isFull(visitor)) {
        refused.push(number);
        return;
      }
      const since = time;
      const found: { place?: Place } = {};
      const place: Place = { leave: () => found.place?.leave() };
      found.place = admission.enter(visitor, (isAdmitted) => {
        if (isAdmitted) admitted.push({ visitor, number, waitedMs: time - since, place });
        else refused.push(number);
      });
    },
    count: () => count,
  };
}

const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('voter' as const, 'stranger' as const) }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 400 }) }),
  fc.record({ kind: fc.constant('leave' as const), index: fc.nat(20) }),
);

test('whatever comes in whatever order: nobody who waited too long is worked on, nobody passes another of the same kind, nobody is lost', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const { admission, admitted, refused, pass, come, count } = begin();
      const working = () => admitted.filter(({ place }) => !gone.has(place));
      const gone = new Set<Place>();
      for (const one of steps) {
        if (one.kind === 'pass') pass(one.ms);
        else if (one.kind === 'leave') {
          const place = working()[one.index]?.place;
          if (place) gone.add(place);
          place?.leave();
        } else come(one.kind);
      }
      // To the end: everyone who waits is either worked on or refused.
      for (let left = count(); left > 0; left -= 1)
        for (const { place } of working()) {
          gone.add(place);
          place.leave();
        }
      admission.close();
      for (const { visitor, waitedMs } of admitted)
        expect(waitedMs).toBeLessThanOrEqual(2 * limits[`${visitor}WaitMs`]);
      for (const kind of ['voter', 'stranger']) {
        const order = admitted.filter(({ visitor }) => visitor === kind).map((one) => one.number);
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      }
      expect(admitted.length + refused.length).toBe(count());
    }),
    { numRuns: runs(300) },
  );
});

test('no more are worked on at once than there are places, until a place was taken for ten seconds', () => {
  const { admission, admitted, pass, come } = begin({ ...limits, strangerWaitMs: 0 });
  for (let index = 0; index < 10; index += 1) come('stranger');
  expect(admitted).toHaveLength(3);
  admitted[0]?.place.leave();
  admitted[0]?.place.leave();
  expect(admitted).toHaveLength(4);
  pass(10_001);
  come('stranger');
  expect(admitted).toHaveLength(7);
  admission.close();
});

test('while voters wait too long, strangers are refused before voters are', () => {
  const { admission, pass, come } = begin();
  for (let index = 0; index < 4; index += 1) come('voter');
  pass(300);
  expect([admission.isFull('voter'), admission.isFull('stranger')]).toEqual([false, true]);
  pass(300);
  expect([admission.isFull('voter'), admission.isFull('stranger')]).toEqual([true, true]);
  admission.close();
});

test.each([
  ['voter', 1_000, true],
  ['voter', 1_001, false],
  ['stranger', 500, true],
  ['stranger', 501, false],
] as const)('a %s whose turn comes after %i ms is worked on: %s', (visitor, waited, isAdmitted) => {
  const { admission, admitted, refused, pass, come } = begin();
  for (let index = 0; index < 4; index += 1) come(visitor);
  pass(waited);
  admitted[0]?.place.leave();
  expect([admitted.length, refused]).toEqual(isAdmitted ? [4, []] : [3, [3]]);
  admission.close();
});

test.each<Visitor>(['voter', 'stranger'])(
  'it is the %s who has waited longest that counts, however many have just come',
  (visitor) => {
    const { admission, pass, come } = begin();
    for (let index = 0; index < 4; index += 1) come(visitor);
    pass(200);
    come(visitor);
    pass(51);
    expect(admission.isFull('stranger')).toBe(true);
    admission.close();
  },
);

test('strangers who wait refuse strangers, and no voter', () => {
  const { admission, pass, come } = begin();
  for (let index = 0; index < 4; index += 1) come('stranger');
  pass(250);
  expect([admission.isFull('voter'), admission.isFull('stranger')]).toEqual([false, false]);
  pass(1);
  expect([admission.isFull('voter'), admission.isFull('stranger')]).toEqual([false, true]);
  pass(10_000);
  expect([admission.isFull('voter'), admission.isFull('stranger')]).toEqual([false, true]);
  admission.close();
});

test('of four turns one is a stranger’s while any waits', () => {
  const { admission, admitted, come } = begin({ ...limits, requestsAtOnce: 1 });
  for (let index = 0; index < 3; index += 1) come('stranger');
  for (let index = 0; index < 8; index += 1) come('voter');
  for (let index = 0; index < 11; index += 1) admitted[index]?.place.leave();
  const turns = admitted.map(({ visitor }) => visitor[0]).join('');
  // The first came alone.
  expect(turns).toBe('svvvsvvvsvv');
  admission.close();
});

test('a place that was taken for ten seconds is free once that is over', () => {
  const { admission, admitted, pass, come } = begin({
    ...{ requestsAtOnce: 1, voterWaitMs: 0, strangerWaitMs: 0 },
  });
  come('voter');
  pass(10_000);
  come('voter');
  expect(admitted).toHaveLength(1);
  pass(1);
  come('voter');
  expect(admitted).toHaveLength(2);
  admission.close();
});

test('ten thousand wait at most, where nobody is refused for waiting', () => {
  const { admission, refused, come } = begin({
    ...{ requestsAtOnce: 1, voterWaitMs: 0, strangerWaitMs: 0 },
  });
  for (let index = 0; index < 10_001; index += 1) come('stranger');
  expect(refused).toEqual([]);
  expect(admission.isFull('voter')).toBe(true);
  come('voter');
  expect(refused).toEqual([10_001]);
  admission.close();
});

test('a visitor for whom a place is free is admitted, however slow the machine is at that moment', () => {
  let time = 0;
  const slow = () => {
    time += 10;
    return time;
  };
  const admission = createAdmission(
    { ...limits, voterWaitMs: 1, strangerWaitMs: 1 },
    () => 0,
    slow,
  );
  const answers: boolean[] = [];
  for (const visitor of ['voter', 'stranger'] as const)
    admission.enter(visitor, (isAdmitted) => answers.push(isAdmitted));
  expect(answers).toEqual([true, true]);
  admission.close();
});
