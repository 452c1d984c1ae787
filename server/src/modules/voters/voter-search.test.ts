import { expect, test } from 'vitest';
import { listIdForms } from './voter-search.ts';

test('an ID of digits is looked up with every number of leading zeros, up to 20 digits', () => {
  expect(listIdForms('0042')).toEqual(
    Array.from({ length: 19 }, (_, zeros) => `${'0'.repeat(zeros)}42`),
  );
  expect(listIdForms('000')).toHaveLength(20);
  const nineteen = '9'.repeat(19);
  expect(listIdForms(nineteen)).toEqual([nineteen, `0${nineteen}`]);
  for (const length of [20, 21]) expect(listIdForms('9'.repeat(length))).toHaveLength(1);
  expect(listIdForms('00AB')).toEqual(['00AB']);
});
