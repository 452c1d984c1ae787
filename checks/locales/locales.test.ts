import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BallotWords, findSharedWords } from '../../server/src/modules/text-review/index.ts';
import { readFixture } from '../../testing/unpack-fixture.ts';
import { checkLocales, localeRules } from './check-locales.ts';

const fixture = readFixture(path.join(import.meta.dirname, 'fixture.txt'));
const ruleNames = Object.keys(localeRules);
const wordRule = 'words-shared';

let work = '';
beforeAll(() => {
  work = mkdtempSync(path.join(tmpdir(), 'beacon-locales-'));
});
afterAll(() => rmSync(work, { recursive: true }));

/** A violating case has only what differs from the allowed tree. */
function layOver(name: string): string {
  const root = path.join(work, name);
  fixture.unpack('allowed', root);
  if (name !== 'allowed') fixture.unpack(name, root);
  return root;
}

test('every rule of texts has a fixture that breaks it, and no fixture is left of a rule that is gone', () => {
  expect([...fixture.names].sort()).toEqual([...ruleNames, 'allowed'].sort());
});

test.each(ruleNames.filter((name) => name !== wordRule))(
  'the rule %s catches its violating fixture, and no other rule does',
  (rule) => {
    const { findings } = checkLocales(layOver(rule), 1);
    expect([...new Set(findings.map((finding) => finding.rule))]).toEqual([rule]);
    for (const { where, detail } of findings) expect(`${where}${detail}`).not.toBe('');
  },
);

test('a word for accepted that also means counted is caught', () => {
  const file = path.join(layOver(wordRule), 'words.json');
  const words: BallotWords = JSON.parse(readFileSync(file, 'utf8'));
  expect(findSharedWords(words)).toEqual(['учт (accepted, counted)', 'учт (counted, accepted)']);
});

test('words are found wherever a screen shows or says them', () => {
  const { findings } = checkLocales(layOver('hard-coded-text'), 1);
  expect(findings.map(({ detail }) => detail).sort()).toEqual(
    ['<p>Please wait</p>', 'Maria', 'Name', 'Sign in', 'Your county', 'Your name'].sort(),
  );
});

test('complete texts and screens that take all words from them pass', () => {
  const report = checkLocales(layOver('allowed'), 2);
  expect(report.findings).toEqual([]);
  expect(report.languages).toEqual(['english', 'russian']);
});

test('a check that finds next to no code fails instead of passing', () => {
  expect(() => checkLocales(layOver('allowed'), 500)).toThrow('at least 500 belong there');
});
