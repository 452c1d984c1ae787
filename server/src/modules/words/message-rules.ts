import { type Language, languages } from '@ballot-beacon/contract/languages';
import { ballotStatuses, statuses } from '@ballot-beacon/contract/statuses';
import { findMixedEvents } from '../text-review/index.ts';
import type { Catalog } from '../texts/index.ts';
import { explainBrokenPart } from './broken-parts.ts';

/**
 * Why an office's own wording cannot stand in a message; undefined if it can. What a message is for stays, in every
 * language by the words of that language's own shipped messages: what it is filled in with, how to end it, and whether
 * it is good news.
 *
 * @param key as in `messages.json`
 */
export function findMessageProblem(
  catalog: Catalog,
  { key, language }: { readonly key: string; readonly language: Language },
  body: string,
): string | undefined {
  const english = catalog.texts('english', 'messages')[key] ?? '';
  const shipped = catalog.texts(language, 'messages')[key] ?? english;
  const broken = explainBrokenPart(language, key, english, body);
  if (broken) return broken;
  if (/[\r\n]/.test(body)) return 'Write it in one line.';
  if (body.length > mostLetters(key)) return `Use at most ${mostLetters(key)} characters.`;
  const lost = keywordsOf(shipped).find((word) => !keywordsOf(body).includes(word));
  if (lost) return `Keep ${lost}, which voters answer with.`;
  const [mixed] = findMixedEvents(language, english, body);
  if (mixed)
    return `Received, accepted and counted are three events. Say only the event of this message: ${mixed[1]}`;
  return findAlarm(catalog, { key, language }, shipped, body);
}

/** A call is listened to, a subject is read in a list. A text message is bounded by what it is sent as. */
function mostLetters(key: string): number {
  return key.endsWith('.subject') ? 120 : 1000;
}

/** The words that carriers and telephones act on. */
function keywordsOf(text: string): string[] {
  return text.match(/\b(?:STOP|HELP|START|YES|SI|9)\b/g) ?? [];
}

/** Good news with a word of bad news, or bad news without one. */
function findAlarm(
  catalog: Catalog,
  { key, language }: { readonly key: string; readonly language: Language },
  shipped: string,
  body: string,
): string | undefined {
  const topic = topicOf(key);
  const alarming = alarmingWords(catalog, language);
  const isIn = (text: string) => wordsOf(language, text).filter((word) => alarming.has(word));
  if (calmTopics.has(topic)) {
    const [word] = isIn(body);
    return (
      word &&
      `“${word}” is a word of messages that say that something is wrong, and this one does not. Say it in other words, so that nobody is alarmed.`
    );
  }
  const own = isIn(shipped);
  if (!alarmTopics.has(topic) || own.length === 0 || isIn(body).length > 0) return undefined;
  return `This message says that something is wrong. Keep one of these words: ${[...new Set(own)].join(', ')}.`;
}

const isHalt = (status: (typeof ballotStatuses)[number]) => statuses[status].effect === 'halt';
const alarmTopics: ReadonlySet<string> = new Set([
  ...ballotStatuses.filter(isHalt),
  ...['fix', 'fix-reminder', 'stopped-mail'],
]);
/** News after which nobody needs to do anything. A vote in person and a new ballot may be news to their voter. */
const calmTopics: ReadonlySet<string> = new Set(
  ballotStatuses.filter((one) => !isHalt(one) && one !== 'in-person' && one !== 'reprinted'),
);

/** `rejected` of `mail.rejected.subject`. */
function topicOf(key: string): string {
  return key.split('.')[1] ?? '';
}

const known = new Map<string, ReadonlySet<string>>();

/**
 * Words in the subjects and first sentences of bad news that no good news contains, and that are not everyday words of the
 * page; the words that make `accepted` not accepted are among them even so. English: action, needed, fix, denied, not, …
 */
function alarmingWords(catalog: Catalog, language: Language): ReadonlySet<string> {
  const name = `${catalog.version} ${language}`;
  const made = known.get(name) ?? collectAlarmingWords(catalog, language);
  known.set(name, made);
  return made;
}

function collectAlarmingWords(catalog: Catalog, language: Language): ReadonlySet<string> {
  const messages = Object.entries(catalog.texts(language, 'messages'));
  const wordsWhere = (isWanted: (key: string) => boolean) =>
    new Set(messages.flatMap(([key, text]) => (isWanted(key) ? wordsOf(language, text) : [])));
  const calm = wordsWhere((key) => !key.startsWith('reason.') && isCalm(key));
  const bad = wordsWhere(
    (key) => alarmTopics.has(topicOf(key)) && /^mail\..*\.(?:subject|meaning)$/.test(key),
  );
  const everyday = new Map<string, number>();
  for (const [key, text] of Object.entries(catalog.texts(language, 'main')))
    if (!/^(?:status|fix|stopped)\./.test(key))
      for (const word of new Set(wordsOf(language, text)))
        everyday.set(word, (everyday.get(word) ?? 0) + 1);
  const meaning = (status: string) =>
    wordsOf(language, catalog.texts(language, 'messages')[`mail.${status}.meaning`] ?? '');
  const negations = (['accepted', 'counted'] as const).flatMap((good) => {
    const said = new Set(meaning(good));
    return meaning(good === 'accepted' ? 'rejected' : 'not-counted').filter(
      (one) => !said.has(one),
    );
  });
  return new Set(
    [...[...bad].filter((one) => (everyday.get(one) ?? 0) < mostOnPage), ...negations].filter(
      (one) => !calm.has(one),
    ),
  );
}

/** A word in more texts of the page than this is an everyday word. */
const mostOnPage = 4;

function isCalm(key: string): boolean {
  return (
    calmTopics.has(topicOf(key)) || commonTopics.has(topicOf(key)) || topicOf(key) === 'reprinted'
  );
}

/** Texts that stand in every message, or in a question to a voter who just signed up. */
const commonTopics: ReadonlySet<string> = new Set([
  ...['greeting', 'closing', 'why', 'contact', 'contact-by-phone'],
  ...['opt-in', 'confirmed', 'help', 'welcome'],
]);

/** In lower case, without what is filled in. Languages without spaces are cut by their dictionaries. */
function wordsOf(language: Language, text: string): string[] {
  const segmenter = new Intl.Segmenter(languages[language].tag, { granularity: 'word' });
  const plain = text
    .replaceAll(/\{\{\s*\w+\s*\}\}/g, ' ')
    .replaceAll('’', "'")
    .toLowerCase();
  return [...segmenter.segment(plain)].flatMap((one) => (one.isWordLike ? [one.segment] : []));
}
