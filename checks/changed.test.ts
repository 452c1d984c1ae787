import { globSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { selectTests } from './changed.ts';

const journeys = globSync('e2e/**/*.test.ts');

test.each(readdirSync('web/src/features'))(
  'a change of the screen %s goes through a journey',
  (feature) => {
    const { journeys: chosen } = selectTests([`web/src/features/${feature}/index.tsx`], journeys);
    expect(chosen).not.toEqual([]);
    expect(chosen.length).toBeLessThan(journeys.length);
  },
);

test('a source is given to what imports it, data to the tests that read it', () => {
  const change = ['server/src/modules/ballots/rules.ts', 'database/migrations/099-x.sql'];
  expect(selectTests(change, journeys)).toMatchObject({
    sources: ['server/src/modules/ballots/rules.ts'],
    readers: ['server/', 'testing/'],
    journeys: expect.arrayContaining(['e2e/dashboard.test.ts']),
  });
});

test('a journey that changed is gone through, and all of them when what they share did', () => {
  expect(selectTests(['e2e/idle.test.ts'], journeys).journeys).toEqual(['e2e/idle.test.ts']);
  expect(selectTests(['e2e/sign-in.ts'], journeys).journeys).toEqual(journeys);
});

test('a test of the server or the page changes no journey', () => {
  expect(selectTests(['web/src/features/login/form.test.ts'], journeys).journeys).toEqual([]);
});
