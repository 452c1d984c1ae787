import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { checkWords, findWords, wordRules } from './words.ts';

const fixture = readFileSync(
  path.resolve(import.meta.dirname, '../fixtures/words/violating.txt'),
  'utf8',
);
const ruleNames = Object.keys(wordRules);
/** Far below the tree's own count, far above what a broken file list would find. */
const minimumFiles = 400;

test('the tree uses none of the listed words', () => {
  const { fileCount, findings } = checkWords(process.cwd());
  expect(fileCount).toBeGreaterThan(minimumFiles);
  const advice = findings.map(
    ({ rule, where, line }) => `${where}  ${line}\n  instead: ${wordRules[rule]?.instead}`,
  );
  expect(advice.slice(0, 20)).toEqual([]);
});

test.each(ruleNames)('the rule "%s" catches its violating line', (rule) => {
  const lines = fixture.split('\n').filter((line) => findWords(line).includes(rule));
  expect(lines).not.toEqual([]);
});

test('every violating line breaks exactly the rule it is named after', () => {
  for (const line of fixture.trim().split('\n')) {
    const [rule, text = ''] = line.split(' | ');
    expect({ text, breaks: findWords(text) }).toEqual({ text, breaks: [rule] });
  }
});

test.each([
  'The import is file-held, its messages are messages-held.',
  'Two voters with one name can be told apart by their ID.',
  'We recommend an amendment to the household rule.',
  'Ask the post office. Send a POST request. Take part in person.',
])('ordinary words pass: %s', (text) => {
  expect(findWords(text)).toEqual([]);
});
