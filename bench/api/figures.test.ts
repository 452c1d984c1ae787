import { expect, test } from 'vitest';
import { compare, growthOf, type Measured, median, summarize } from './figures.ts';

const measured = (perSecond: number, cpu: number, more: Partial<Measured> = {}): Measured => ({
  ...{ perSecond, serverMs: cpu / 2, databaseMs: cpu / 2, p99: 10, refused: 0, wrong: 0 },
  ...more,
});

test('the middle is between the two in the middle where there are two', () => {
  expect(median([9, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 9])).toBe(3);
});

test('one slow minute of the machine changes neither the figures nor the ratio', () => {
  const product = [measured(100, 2), measured(10, 9), measured(110, 2)];
  const floor = [measured(200, 1), measured(20, 4), measured(220, 1)];
  expect(summarize(product)).toMatchObject({ perSecond: 100, serverMs: 1, databaseMs: 1 });
  expect(compare(product, floor)).toEqual({ speed: 0.5, cpu: 0.5 });
});

test('no wrong or refused answer is lost in the middle', () => {
  const rounds = [measured(1, 1), measured(1, 1), measured(1, 1, { wrong: 3, refused: 2 })];
  expect(summarize(rounds)).toMatchObject({ wrong: 3, refused: 2 });
});

test('memory that was filled at first and is flat since has not grown', () => {
  expect(growthOf([100, 200, 300, 300, 310, 290, 300, 300])).toBe(1);
  expect(growthOf([100, 100, 110, 110, 120, 120, 132, 132])).toBe(1.2);
});
