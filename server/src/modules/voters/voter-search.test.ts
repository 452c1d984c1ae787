import { expect, test } from 'vitest';
import { listIdForms, readVoterSearch } from './voter-search.ts';

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

test.each([
  ['Ann Lee 2/29/1952', '1952-02-29'],
  ['Ann Lee 1952-2-9', '1952-02-09'],
  // On the first of all days nobody was born.
  ['Ann Lee 2/29/1951', '0001-01-01'],
  ['Ann Lee 2/30/1952', '0001-01-01'],
  ['Ann Lee 13/1/1952', '0001-01-01'],
])('%s is searched for with the birth date %s', (typed, birthdate) => {
  expect(readVoterSearch(typed)).toMatchObject({ birthdate, nameWords: ['Ann', 'Lee'] });
});
