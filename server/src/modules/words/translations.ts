import type { Language } from '@ballot-beacon/contract/languages';
import type { TranslationsImported } from '@ballot-beacon/contract/office/translations';
import { DraftWords, type TextState, type Words } from '@ballot-beacon/contract/office/words';
import type { XliffUnit } from '../text-review/index.ts';
import type { Catalog } from '../texts/index.ts';
import { explainBrokenPart } from './broken-parts.ts';
import {
  findOwnWords,
  formOf,
  keyOf,
  type LastChange,
  nameText,
  type OwnText,
  productWords,
  readWords,
  stateOf,
} from './rules.ts';

/** What an office wrote, as it is when a file for translators is made or read. */
export interface Wording {
  readonly catalog: Catalog;
  readonly own: readonly OwnText[];
}

type Part = keyof Words;

/**
 * One unit for each text that the office worded itself in English or in this language; two for a text with a heading.
 * A text of `locales/` has its section and key there, so that both exchanges name it alike.
 */
export function listUnits(
  wording: Wording,
  changes: readonly LastChange[],
  language: Language,
): XliffUnit[] {
  const { own } = wording;
  return listTexts(wording, language).flatMap((text) => {
    const sources = englishOf(wording, text);
    const now = findOwnWords(own, { text, language });
    const state = stateOf({ text, language }, own, changes);
    return partsOf(text).map((part) => ({
      ...placeOf(text, part),
      source: sources[part],
      target: now?.[part] ?? '',
      isApproved: state === 'reviewed',
      state: xliffStates[state],
    }));
  });
}

const xliffStates = {
  missing: 'needs-translation',
  outdated: 'needs-adaptation',
  own: 'needs-review-translation',
  product: 'needs-review-translation',
  reviewed: 'needs-review-translation',
} as const satisfies Record<TextState, XliffUnit['state']>;

export interface Translated {
  /** What differs from the office's own words, whole and as it may be stored. */
  readonly drafts: readonly { readonly text: string; readonly words: Words }[];
  readonly unchanged: number;
  readonly untranslated: number;
  readonly refused: TranslationsImported['refused'];
}

/** What translators' units would become. Each text stands or falls by itself, so that one slip does not keep a whole file back. */
export function readUnits(
  wording: Wording,
  language: Language,
  units: readonly XliffUnit[],
): Translated {
  const known = new Set(listTexts(wording, language));
  const refused: { text: string; reason: string }[] = [];
  const drafts: { text: string; words: Words }[] = [];
  let unchanged = 0;
  let untranslated = 0;
  for (const [text, parts] of Map.groupBy(units, textOf)) {
    const read = known.has(text) ? readParts(wording, language, text, parts) : unknownText;
    if (read === 'untranslated') untranslated += 1;
    else if (typeof read === 'string') refused.push({ text, reason: read });
    else if (isSame(read, findOwnWords(wording.own, { text, language }))) unchanged += 1;
    else drafts.push({ text, words: read });
  }
  return { drafts, unchanged, untranslated, refused };
}

const unknownText = 'Your office has no English of its own for this text.';

/** A text's words; or why they cannot be a draft. */
function readParts(
  wording: Wording,
  language: Language,
  text: string,
  units: readonly XliffUnit[],
): Words | string {
  const english = englishOf(wording, text);
  const words: Words = { title: '', body: '' };
  for (const part of partsOf(text)) {
    const { section, key } = placeOf(text, part);
    const [unit, second] = units.filter((one) => one.section === section && one.key === key);
    if (second) return 'The file contains this text twice.';
    if (!unit || isUntranslated(unit)) return 'untranslated';
    if (unspaced(unit.source) !== unspaced(english[part]))
      return 'Its English changed after the file was made. Download the file again.';
    const broken = explainBrokenPart(language, key, english[part], unit.target.trim());
    if (broken) return broken;
    words[part] = unit.target;
  }
  const bounded = DraftWords.safeParse(words);
  if (!bounded.success) return bounded.error.issues[0]?.message ?? 'This text is too long.';
  const read = readWords(wording.catalog, { text, language }, bounded.data);
  return 'problem' in read ? read.problem : read.words;
}

function isUntranslated({ source, target, isApproved }: XliffUnit): boolean {
  return target.trim() === '' || (!isApproved && unspaced(target) === unspaced(source));
}

/** Tools wrap lines and pad. */
function unspaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function isSame(words: Words, now: Words | null): boolean {
  return now?.title === words.title && now.body === words.body;
}

function listTexts(wording: Wording, language: Language): string[] {
  const worded = wording.own.filter(
    (one) => one.language === 'english' || one.language === language,
  );
  return [...new Set(worded.map(({ text }) => text))]
    .filter((text) => englishOf(wording, text).body !== '')
    .sort();
}

function englishOf({ catalog, own }: Wording, text: string): Words {
  const inEnglish = { text, language: 'english' } as const;
  return findOwnWords(own, inEnglish) ?? productWords(catalog, inEnglish);
}

function partsOf(text: string): readonly Part[] {
  return formOf(text) === 'titled' ? ['title', 'body'] : ['body'];
}

/** A piece is a section of its own, with its parts as keys. */
function placeOf(text: string, part: Part): { section: string; key: string } {
  return text.includes(':') ? keyOf(text) : { section: text, key: part };
}

function textOf({ section, key }: XliffUnit): string {
  return section === 'main' || section === 'messages' ? nameText(section, key) : section;
}
