import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { AccountSite } from '../sites/index.ts';
import { readCatalog } from '../texts/index.ts';
import { layDraftOver } from './lay-draft-over.ts';
import { type OwnText, saysStatus, stateOf } from './rules.ts';

test.each([
  ['messages:sms.sent', true],
  ['main:status.sent.name', true],
  ['main:fix.title', true],
  ['main:stopped.do.replacement', true],
  ['main:login.title', false],
  ['alert', false],
  ['faq', false],
])('%s says something of a voter’s own ballot: %s', (text, says) => {
  expect(saysStatus(text)).toBe(says);
});

const own = (...languages: ('english' | 'spanish')[]): OwnText[] =>
  languages.map((language) => ({ text: 'faq', language, title: '', body: `<p>${language}</p>` }));
const last = (language: 'english' | 'spanish', version_id: number, is_reviewed = false) => ({
  ...{ text: 'faq', language, version_id, is_reviewed },
});

test.each([
  ['product', [], []],
  ['missing', own('english'), [last('english', 1)]],
  // Written before changes were kept.
  ['own', own('english', 'spanish'), []],
  ['own', own('english', 'spanish'), [last('english', 1), last('spanish', 2)]],
  ['reviewed', own('english', 'spanish'), [last('english', 1), last('spanish', 2, true)]],
  ['outdated', own('english', 'spanish'), [last('english', 3), last('spanish', 2, true)]],
])('a Spanish text is %s', (state, texts, changes) => {
  expect(stateOf({ text: 'faq', language: 'spanish' }, texts, changes)).toBe(state);
});

test('a draft that takes Spanish words back leaves the office’s English ones to be seen', () => {
  const catalog = readCatalog(fileURLToPath(new URL('../../../../locales', import.meta.url)));
  const now = { site: {} as AccountSite, catalog, own: own('english', 'spanish') };
  const page = { text: 'faq', language: 'spanish' } as const;
  const { faq } = layDraftOver({ ...now, language: 'spanish' }, page, { words: null });
  expect(faq).toBe('<p>english</p>');
});
