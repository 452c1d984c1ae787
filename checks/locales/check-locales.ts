import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Language, languageNames } from '@ballot-beacon/contract/languages';
import {
  ballotWords,
  findSharedWords,
  findTextProblems,
  isWhollyReviewed,
  type LanguageFiles,
  listTranslatedLanguages,
  readLanguageFiles,
  textRules,
} from '../../server/src/modules/text-review/index.ts';
import { type CodeReading, readCode } from './code.ts';

export interface Finding {
  readonly rule: LocaleRule;
  /** A file, and in it a key or a line. */
  readonly where: string;
  readonly detail: string;
}

export interface LocaleReport {
  readonly languages: readonly Language[];
  readonly keyCount: number;
  readonly fileCount: number;
  readonly findings: readonly Finding[];
}

/** Every rule, with what to do when it is broken. Each has a violating case in fixture.txt. */
export const localeRules = {
  ...textRules,
  'missing-file': 'Add the file that English has; a language in locales/ is complete.',
  'page-frame-differs':
    'Keep the page’s elements, classes and ids as in English; only the words change.',
  'words-shared': 'Choose another word in words.ts: received, accepted and counted must differ.',
  'review-overstated': 'Set "reviewed" to false until every string carries a reviewer’s mark.',
  'review-without-advice':
    'List in "look_first" what a native reviewer should look at first, while "reviewed" is false.',
  'hard-coded-text': 'Give the words a key in locales/english and translate the key.',
  'unknown-key': 'Add the key to every language, or fix its spelling.',
  'unused-key': 'Remove the key from every language, or use it.',
} as const;
export type LocaleRule = keyof typeof localeRules;

/** Files that say words to voters, and files that may use keys as well. */
const screens = 'web/src/**/*.{ts,tsx}';
const keyUsers = [screens, 'server/src/**/*.ts', 'contract/src/**/*.ts'];
const unread = ['**/*.test.{ts,tsx}', '**/node_modules/**'];

/**
 * Checks locales/ and the code under `root` against `localeRules`.
 *
 * @throws Error when fewer than `minimumFiles` source files were found: a check that reads nothing passes nothing.
 */
export function checkLocales(root: string, minimumFiles: number): LocaleReport {
  const folder = path.join(root, 'locales');
  const english = readLanguageFiles(folder, 'english');
  const languages = listTranslatedLanguages(folder);
  const findings: Finding[] = [];
  for (const language of languages)
    findings.push(...checkLanguage(english, readLanguageFiles(folder, language)));
  for (const language of languageNames)
    for (const shared of findSharedWords(ballotWords[language]))
      findings.push({ rule: 'words-shared', where: language, detail: shared });

  const readings = readSources(root);
  if (readings.size < minimumFiles)
    throw new Error(
      `The locales check found ${readings.size} source files under ${root}; at least ${minimumFiles} belong there.`,
    );
  findings.push(...checkCode(english, readings));
  const keyCount = Object.values(english.sections).flatMap((texts) => Object.keys(texts)).length;
  return { languages, keyCount, fileCount: readings.size, findings };
}

function* checkLanguage(english: LanguageFiles, files: LanguageFiles): Generator<Finding> {
  const { language, review } = files;
  for (const [section, sources] of Object.entries(english.sections)) {
    const file = `locales/${language}/${section}`;
    const texts = files.sections[section];
    if (texts === undefined) {
      yield { rule: 'missing-file', where: file, detail: `English has ${section}` };
      continue;
    }
    for (const { rule, key, detail } of findTextProblems(language, sources, texts))
      yield { rule, where: `${file} ${key}`, detail };
    if (files.frames[section] !== english.frames[section])
      yield {
        rule: 'page-frame-differs',
        where: file,
        detail: describeFrames(english.frames[section], files.frames[section]),
      };
  }
  for (const section of Object.keys(files.sections))
    if (english.sections[section] === undefined)
      yield {
        rule: 'extra-key',
        where: `locales/${language}/${section}`,
        detail: 'English has no such file',
      };
  if (language === 'english') return;
  const reviewFile = `locales/${language}/review.json`;
  if (review.reviewed && !isWhollyReviewed(english, language, review.strings))
    yield {
      rule: 'review-overstated',
      where: reviewFile,
      detail: 'strings without a mark are left',
    };
  if (!review.reviewed && review.look_first.length === 0)
    yield { rule: 'review-without-advice', where: reviewFile, detail: '"look_first" is empty' };
}

function describeFrames(english = '', own = ''): string {
  const lines = english.split('\n');
  const others = own.split('\n');
  const at = lines.findIndex((line, index) => line !== others[index]);
  return `line ${at + 1}: “${lines[at]?.trim() ?? ''}” in English, “${others[at]?.trim() ?? ''}” here`;
}

function readSources(root: string): Map<string, CodeReading> {
  const screenFiles = new Set(globSync(screens, { cwd: root, exclude: unread }));
  const files = globSync(keyUsers, { cwd: root, exclude: unread }).sort();
  return new Map(
    files.map((file) => [
      file,
      readCode(file, readFileSync(path.join(root, file), 'utf8'), screenFiles.has(file)),
    ]),
  );
}

function* checkCode(
  english: LanguageFiles,
  readings: ReadonlyMap<string, CodeReading>,
): Generator<Finding> {
  const written = Object.entries(english.sections)
    .filter(([section]) => english.frames[section] === undefined)
    .flatMap(([section, texts]) => Object.keys(texts).map((key) => ({ section, key })));
  // A plural is asked for by its stem.
  const stemOf = (key: string) => key.replace(/_(one|other)$/, '');
  const known = new Set(written.flatMap(({ key }) => [key, stemOf(key)]));
  const used = new Set<string>();

  for (const [file, { literals, keys, patterns, words }] of readings) {
    for (const literal of literals) if (known.has(literal)) used.add(literal);
    for (const { line, text } of keys)
      if (!known.has(text)) yield { rule: 'unknown-key', where: `${file}:${line}`, detail: text };
    for (const { text } of patterns) {
      const pattern = new RegExp(text);
      for (const key of known) if (pattern.test(key)) used.add(key);
    }
    for (const { line, text } of words)
      if (!known.has(text))
        yield { rule: 'hard-coded-text', where: `${file}:${line}`, detail: text };
  }
  for (const { section, key } of written)
    if (!used.has(key) && !used.has(stemOf(key)))
      yield { rule: 'unused-key', where: `locales/english/${section}`, detail: key };
}
