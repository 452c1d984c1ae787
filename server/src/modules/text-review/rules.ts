import { type Language, languages } from '@ballot-beacon/contract/languages';
import type { Texts } from '@ballot-beacon/contract/translate';
import { allowedSame, codeKeys, figureKeys, isAllowed, latinWords } from './allowances.ts';
import { wordsOfLaw } from './plain-words.ts';
import { type BallotWords, ballotWords, simplifiedOnly, traditionalOnly } from './words.ts';

/** Every rule for translations, with what to do when it is broken. */
export const textRules = {
  'missing-key': 'Translate the English text of this key; a language in locales/ is complete.',
  'extra-key': 'Remove it: English has no such key, so no screen shows it.',
  'plural-form-missing':
    'Write every plural form that the language has, as key_FORM (CLDR plural rules).',
  'placeholders-differ': 'Use exactly the {{placeholders}} of the English text, in any order.',
  'tags-differ': 'Use exactly the HTML tags of the English text, closed in the order opened.',
  'same-as-english':
    'Translate it, or list the text in allowances.ts with the reason why it stays English.',
  'english-left': 'Translate the Latin words, or list them in allowances.ts with the reason.',
  'other-script': 'Write the script of this language; this character belongs to another.',
  'edge-spaces': 'Take spaces off both ends: what stands beside a text is for the screen to space.',
  'polling-place-for-office':
    'Name the election office; nobody at a polling place can help with a mailed ballot.',
  'accepted-is-not-counted':
    'Use the language’s own word for what English says: received, accepted and counted are three events.',
  'word-of-law':
    'Say fix, the day itself, or what is known: voters do not know cure and certified, and nobody knows that a ballot is lost.',
} as const;

export type TextRule = keyof typeof textRules;

export interface TextProblem {
  readonly rule: TextRule;
  readonly language: Language;
  readonly key: string;
  readonly detail: string;
}

const placeholder = /\{\{\s*(\w+)\s*\}\}/g;
const tag = /<\/?[a-zA-Z][^<>]*>/g;
const pluralSuffix = /_(zero|one|two|few|many|other)$/;

/** Forms that may omit the number itself: "one day", Arabic's dual. */
const formsWithoutNumber = ['zero', 'one', 'two'];

/**
 * The plural forms of whole numbers below a million in a language, and `other`, in CLDR's order.
 *
 * French and Spanish have a form for exact millions as well; no count here comes near, and it falls back to `other`.
 */
function pluralForms(language: Language): readonly string[] {
  const plurals = new Intl.PluralRules([languages[language].tag, 'en']);
  const reached = new Set(['other']);
  for (let count = 0; count <= 200; count += 1) reached.add(plurals.select(count));
  return ['zero', 'one', 'two', 'few', 'many', 'other'].filter((form) => reached.has(form));
}

/** The required keys of a language, each with the English key whose text it translates. */
export function expectedKeys(language: Language, english: Texts): Map<string, string> {
  const expected = new Map<string, string>();
  const forms = pluralForms(language);
  for (const key of Object.keys(english)) {
    const form = pluralFormOf(key, english);
    if (form === undefined) expected.set(key, key);
    else if (form === 'other') {
      const stem = key.slice(0, -'_other'.length);
      for (const own of forms) {
        const twin = `${stem}_${own}`;
        expected.set(twin, Object.hasOwn(english, twin) ? twin : key);
      }
    }
  }
  return expected;
}

/** `key_one` is a plural form only if `key_other` exists too. */
function pluralFormOf(key: string, english: Texts): string | undefined {
  const form = pluralSuffix.exec(key)?.[1];
  if (form === undefined) return undefined;
  const stem = key.slice(0, -form.length - 1);
  return Object.hasOwn(english, `${stem}_other`) ? form : undefined;
}

/** Compares one language's texts with the English texts. Empty when there are no problems. */
export function findTextProblems(
  language: Language,
  english: Texts,
  texts: Texts,
): readonly TextProblem[] {
  const problems: TextProblem[] = [];
  const expected = expectedKeys(language, english);
  const add = (rule: TextRule, key: string, detail: string) =>
    problems.push({ rule, language, key, detail });

  for (const [key, sourceKey] of expected) {
    const source = english[sourceKey] ?? '';
    const text = texts[key];
    if (text === undefined)
      add(key === sourceKey ? 'missing-key' : 'plural-form-missing', key, `English: ${source}`);
    else
      for (const [rule, detail] of findProblemsOfText(language, key, source, text))
        add(rule, key, detail);
  }
  for (const key of Object.keys(texts))
    if (!expected.has(key)) add('extra-key', key, texts[key] ?? '');
  return problems;
}

/** The problems of one translated text, whatever its key. */
export function findProblemsOfText(
  language: Language,
  key: string,
  source: string,
  text: string,
): readonly (readonly [TextRule, string])[] {
  const found: (readonly [TextRule, string])[] = [];
  if (text.trim() === '' && source.trim() !== '') found.push(['missing-key', 'the text is empty']);
  if (text !== text.trim()) found.push(['edge-spaces', JSON.stringify(text)]);

  found.push(...findBrokenParts(language, key, source, text));

  const words = readWords(text);
  if (language !== 'english' && !codeKeys.has(key)) {
    const isSame = text.trim() === source.trim();
    if (!isSame) found.push(...findOtherScript(language, words));
    else if (/\p{L}/u.test(words) && !isAllowed(allowedSame, language, text))
      found.push(['same-as-english', text]);
    if (!figureKeys.has(key)) found.push(...findMixedEvents(language, readWords(source), words));
  }
  const place = match(ballotWords[language].pollingPlace, words);
  if (place !== undefined && match(ballotWords.english.pollingPlace, source) === undefined)
    found.push(['polling-place-for-office', `“${place}” in: ${text}`]);
  const ofLaw = match(wordsOfLaw[language], words);
  if (ofLaw !== undefined) found.push(['word-of-law', `“${ofLaw}” in: ${text}`]);
  return found;
}

/** What a page or message could not be shown with: placeholders or tags that are not those of the source. */
export function* findBrokenParts(
  language: Language,
  key: string,
  source: string,
  text: string,
): Generator<readonly ['placeholders-differ' | 'tags-differ', string]> {
  const placeholders = comparePlaceholders(language, key, source, text);
  if (placeholders !== undefined) yield ['placeholders-differ', placeholders];
  const tags = compareTags(source, text);
  if (tags !== undefined) yield ['tags-differ', tags];
}

function comparePlaceholders(
  language: Language,
  key: string,
  source: string,
  text: string,
): string | undefined {
  const wanted = namesIn(source);
  const given = namesIn(text);
  const form = pluralSuffix.exec(key)?.[1];
  if (form !== undefined && formsWithoutNumber.includes(form)) {
    if (standsForSeveral(language, form)) wanted.add('count');
    else {
      wanted.delete('count');
      given.delete('count');
    }
  }
  const missing = [...wanted].filter((name) => !given.has(name));
  const extra = [...given].filter((name) => !wanted.has(name));
  const broken = text.replaceAll(placeholder, '').match(/[{}]/) !== null;
  if (missing.length === 0 && extra.length === 0 && !broken) return undefined;
  return `missing: ${missing.join(', ') || 'none'}; extra: ${extra.join(', ') || 'none'}${broken ? '; a brace is broken' : ''}`;
}

/** Russian's `one` is also 21, Tagalog's also 5: only the number says which. Nobody counts none. */
function standsForSeveral(language: Language, form: string): boolean {
  const plurals = new Intl.PluralRules([languages[language].tag, 'en']);
  let numbers = 0;
  for (let count = 1; count <= 100; count += 1) if (plurals.select(count) === form) numbers += 1;
  return numbers > 1;
}

function namesIn(text: string): Set<string> {
  return new Set([...text.matchAll(placeholder)].map((found) => found[1] ?? ''));
}

function compareTags(source: string, text: string): string | undefined {
  const wanted = source.match(tag) ?? [];
  const given = text.match(tag) ?? [];
  if ([...wanted].sort().join() !== [...given].sort().join())
    return `English: ${wanted.join(' ') || 'none'}; here: ${given.join(' ') || 'none'}`;
  const open: string[] = [];
  for (const piece of given) {
    const name = /[a-zA-Z][\w-]*/.exec(piece)?.[0].toLowerCase() ?? '';
    if (piece.startsWith('</')) {
      if (open.pop() !== name) return `${piece} closes a tag that is not open`;
    } else if (!piece.endsWith('/>') && !voidTags.has(name)) open.push(name);
  }
  return open.length > 0 ? `not closed: ${open.join(', ')}` : undefined;
}

const voidTags = new Set(['br', 'hr', 'img', 'wbr']);

/** The words a reader sees or hears: without placeholders, tags, entities, addresses and links. */
function readWords(text: string): string {
  return text
    .replaceAll(placeholder, ' ')
    .replaceAll(tag, ' ')
    .replaceAll(/&[a-z]+;|https?:\/\/\S+|(?<![\w.+-])[\w.+-]+@[\w.-]+/g, ' ');
}

const ownScripts: { readonly [L in Language]?: RegExp } = {
  russian: /[іїєґ]/iu,
  ukrainian: /[ыэъё]/iu,
  cantonese: new RegExp(`[${simplifiedOnly}]`, 'u'),
  chinese: new RegExp(`[${traditionalOnly}]`, 'u'),
  // An ʻokina is the letter U+02BB, not a quotation mark.
  hawaiian: /[‘`']/u,
};

const notLatin = new Set<Language>([
  ...([
    'arabic',
    'bengali',
    'cantonese',
    'chinese',
    'hindi',
    'japanese',
    'khmer',
    'korean',
  ] as const),
  ...(['russian', 'thai', 'ukrainian'] as const),
]);

function* findOtherScript(
  language: Language,
  words: string,
): Generator<readonly [TextRule, string]> {
  const stranger = ownScripts[language]?.exec(words)?.[0];
  if (stranger !== undefined) yield ['other-script', `“${stranger}” in: ${words.trim()}`];
  if (!notLatin.has(language)) return;
  for (const word of words.match(/[A-Za-z]{2,}/g) ?? [])
    if (!latinWords.has(word)) yield ['english-left', `“${word}” in: ${words.trim()}`];
}

const laterEvents = ['accepted', 'counted'] as const;

/** Whether a text says accepted or counted exactly where English does; "not yet counted" mentions it too. */
export function* findMixedEvents(
  language: Language,
  english: string,
  words: string,
): Generator<readonly [TextRule, string]> {
  const says = (event: keyof typeof ballotWords.english) =>
    match(ballotWords.english[event], english) !== undefined;
  if (!(says('received') || says('accepted') || says('counted'))) return;
  for (const event of laterEvents) {
    const own = match(ballotWords[language][event], words);
    if (says(event) && own === undefined)
      yield ['accepted-is-not-counted', `no word for ${event} in: ${words.trim()}`];
    if (!says(event) && own !== undefined)
      yield ['accepted-is-not-counted', `“${own}” means ${event}, English: ${english.trim()}`];
  }
}

/** Matches without regard to case and to Arabic vowel marks. */
function match(pattern: string, text: string): string | undefined {
  return new RegExp(pattern, 'iu').exec(text.replaceAll(/[\u064B-\u0652]/g, ''))?.[0];
}

/** Stems that mean two of the three events. No language's table may contain any. */
export function findSharedWords({ received, accepted, counted }: BallotWords): readonly string[] {
  const lists = Object.entries({ received, accepted, counted }).map(
    ([event, pattern]) => [event, splitStems(pattern)] as const,
  );
  const shared: string[] = [];
  for (const [event, stems] of lists)
    for (const [other, otherStems] of lists)
      if (event !== other)
        for (const stem of stems)
          if (otherStems.some((candidate) => candidate.includes(stem)))
            shared.push(`${stem} (${event}, ${other})`);
  return shared;
}

/** The alternatives of a pattern; a bracketed part belongs to one of them. */
function splitStems(pattern: string): string[] {
  return pattern.match(/(\([^()]*(\([^()]*\)[^()]*)*\)|\[[^\]]*\]|[^|()[\]])+/g) ?? [];
}
