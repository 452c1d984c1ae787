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
  officeAlertKey,
  sanitizeOfficeHtml,
} from '../texts/index.ts';
import { findMessageProblem } from './message-rules.ts';

/** A text in a language. */
export interface TextOf {
  readonly text: string;
  readonly language: Language;
}

export interface OwnText extends TextOf, Words {}

export interface LastChange extends TextOf {
  readonly version_id: number;
  readonly is_reviewed: boolean;
}

/** How the texts of a channel are named. */
export const channelPrefixes = {
  email: 'messages:mail.',
  sms: 'messages:sms.',
  voice: 'messages:voice.',
} as const;

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
  { text, language }: TextOf,
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
  if (text.startsWith('messages:')) {
    const { key } = keyOf(text);
    const problem = findMessageProblem(catalog, { key, language }, words.body);
    if (problem !== undefined) return { problem, field: 'body' };
  }
  return { words, dropped: isHtml ? listDroppedHtml(body) : [] };
}

/**
 * Whether voters take a text as news of their own ballot. No person alone may change what it says, as no person alone
 * releases a file that says so.
 */
export function saysStatus(text: string): boolean {
  return /^(?:messages:|main:(?:status|fix|stopped)\.)/.test(text);
}

/** How far a text is in a language. */
export function stateOf(
  { text, language }: TextOf,
  own: readonly OwnText[],
  lastChanges: readonly LastChange[],
): TextState {
  const isOwn = (wanted: Language) => findOwnWords(own, { text, language: wanted }) !== null;
  const lastOf = (wanted: Language) =>
    lastChanges.find((one) => one.text === text && one.language === wanted);
  if (!isOwn(language)) return language !== 'english' && isOwn('english') ? 'missing' : 'product';
  const last = lastOf(language);
  const source = lastOf('english');
  const isOlder = Number(source?.version_id ?? 0) > Number(last?.version_id ?? 0);
  if (language !== 'english' && isOlder) return 'outdated';
  return last?.is_reviewed ? 'reviewed' : 'own';
}

/** What an office wrote for this text in this language; null where it shows the product's words. */
export function findOwnWords(own: readonly OwnText[], { text, language }: TextOf): Words | null {
  const found = own.find((one) => one.text === text && one.language === language);
  return found ? { title: found.title, body: found.body } : null;
}

/** The words of a text; null where there are none. @param title of the texts that have one */
export function toWords(body: string | null, title = ''): Words | null {
  return body === null ? null : { title, body };
}

/** Where a text stands in the files of `locales/`. */
export function keyOf(text: string): { section: 'main' | 'messages'; key: string } {
  if (text === 'alert') return { section: 'main', key: officeAlertKey };
  const at = text.indexOf(':');
  return {
    section: text.startsWith('messages:') ? 'messages' : 'main',
    key: text.slice(at + 1),
  };
}

/** The text of a key, as the console and the history name it. */
export function nameText(section: string, key: string): string {
  return section === 'main' && key === officeAlertKey ? 'alert' : `${section}:${key}`;
}
