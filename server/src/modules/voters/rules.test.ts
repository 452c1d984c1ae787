import { describe, expect, test } from 'vitest';
import { isFirstNameAsRegistered, isSameVoterId, possibleFirstNames, splitWords } from './rules.ts';

const typed = (name: string) => splitWords(name.toUpperCase());
const matches = (name: string, firstname: string, middlename = '') =>
  isFirstNameAsRegistered(typed(name), { firstname, middlename });

describe('the first name as registered', () => {
  test.each([
    ['Ann', 'ANN', ''],
    ['Ann', 'ANN', 'LOUISE'],
    ['Ann Louise', 'ANN', 'LOUISE'],
    ['Ann L', 'ANN', 'LOUISE'],
    ['Ann Louise', 'ANN', 'L'],
    ['Ann Louise', 'ANN', ''],
    ['Mary Ann', 'MARYANN', ''],
    ['Mary Ann Louise', 'MARYANN', 'LOUISE'],
    ['', '', ''],
  ])('"%s" signs in %s %s', (name, firstname, middlename) => {
    expect(matches(name, firstname, middlename)).toBe(true);
  });

  test.each([
    ['Annie', 'ANN', ''],
    ['Bob', 'ROBERT', ''],
    ['Louise', 'ANN', 'LOUISE'],
    ['Mary', 'MARYANN', ''],
    ['Ann Maria', 'ANN', 'LOUISE'],
    ['Ann M', 'ANN', 'LOUISE'],
    ['Ann Lea', 'ANN', 'LOUISE'],
    ['Ann Lo', 'ANN', 'LOUISE'],
    ['Ann Louise', 'ANN', 'LO'],
    ['', 'ANN', ''],
    ['Ann', '', ''],
  ])('"%s" does not sign in %s %s', (name, firstname, middlename) => {
    expect(matches(name, firstname, middlename)).toBe(false);
  });
});

test('spaces of any kind and number separate the words of a name', () => {
  expect(splitWords('  ANN \t LOUISE\u00a0LEE\n')).toEqual(['ANN', 'LOUISE', 'LEE']);
  expect(splitWords(' ')).toEqual([]);
});

test('a voter ID is the same with spaces, in small letters and in the digits of another keyboard', () => {
  expect(isSameVoterId(' a12 345', 'A12345')).toBe(true);
  expect(isSameVoterId('A١٢٣٤٥', 'A12345')).toBe(true);
  expect(isSameVoterId('Ａ１２３４５', 'A12345')).toBe(true);
  expect(isSameVoterId('A12346', 'A12345')).toBe(false);
});

test('typed words can stand for each first name that they begin with', () => {
  expect(possibleFirstNames([])).toEqual(['']);
  expect(possibleFirstNames(['MARY', 'ANN', 'LOUISE'])).toEqual([
    'MARY',
    'MARYANN',
    'MARYANNLOUISE',
  ]);
  // Many single letters are a name spelled out, not a hundred people.
  expect(possibleFirstNames([...'ABCDEFGHIJKL'])).toHaveLength(9);
  expect(possibleFirstNames([...'ABCDEFGHIJKL'])).toContain('ABCDEFGHIJKL');
});
