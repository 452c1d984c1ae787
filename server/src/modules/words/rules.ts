import type { Language } from '@ballot-beacon/contract/languages';
import {
  pieces,
  type TextState,
  type textForms,
  type Words,
} from '@ballot-beacon/contract/office/words';
import {
  type Catalog,
  findOverrideProblem,
  isHtmlKey,
  listDroppedHtml,
  sanitizeOfficeHtml,
} from '../texts/index.ts';
import { keyOf } from './change-text.ts';
import type { LastChange, OwnText, TextOf } from './store.ts';

/** How a text is written: as HTML, as plain text, or as a title and plain text. */
export function formOf(text: string): (typeof textForms)[number] {
  if (text === 'no-ballot') return 'titled';
  const isPiece = (pieces as readonly string[]).includes(text);
  return isPiece || isHtmlKey(keyOf(text).key) ? 'html' : 'plain';
}

/** What an office without words of its own shows. */
export function productWords(catalog: Catalog, { text, language }: TextOf): Words {
  const main = catalog.texts(language, 'main');
  if (text === 'no-ballot')
    return { title: main['noBallot.title'] ?? '', body: main['noBallot.description'] ?? '' };
  if (text === 'faq') return { title: '', body: catalog.page(language, 'faq') };
  if (text === 'county-information' || text === 'release-note') return { title: '', body: '' };
  const { section, key } = keyOf(text);
  return { title: '', body: catalog.texts(language, section)[key] ?? '' };
}

/** A draft's words as they may be stored, and what that leaves out; or why they cannot be. */
export function readWords(
  catalog: Catalog,
  text: string,
  { title, body }: Words,
): { words: Words; dropped: string[] } | { problem: string; field: 'title' | 'body' } {
  const form = formOf(text);
  const isHtml = form === 'html';
  const words = {
    title: form === 'titled' ? title : '',
    body: isHtml ? sanitizeOfficeHtml(body) : body,
  };
  if (form === 'titled' && title === '') return { problem: 'Type a heading.', field: 'title' };
  if (words.body === '') return { problem: 'Type a text that voters can read.', field: 'body' };
  if (text.includes(':')) {
    const problem = findOverrideProblem(catalog, { ...keyOf(text), value: words.body });
    if (problem !== undefined) return { problem, field: 'body' };
  }
  return { words, dropped: isHtml ? listDroppedHtml(body) : [] };
}

/** How far a text is in a language. */
export function stateOf(
  { text, language }: TextOf,
  own: readonly OwnText[],
  lastChanges: readonly LastChange[],
): TextState {
  const isOwn = (wanted: Language) =>
    own.some((one) => one.text === text && one.language === wanted);
  const lastOf = (wanted: Language) =>
    lastChanges.find((one) => one.text === text && one.language === wanted);
  if (!isOwn(language)) return language !== 'english' && isOwn('english') ? 'missing' : 'product';
  const last = lastOf(language);
  const source = lastOf('english');
  const isOlder = Number(source?.version_id ?? 0) > Number(last?.version_id ?? 0);
  if (language !== 'english' && isOlder) return 'outdated';
  return last?.is_reviewed ? 'reviewed' : 'own';
}
