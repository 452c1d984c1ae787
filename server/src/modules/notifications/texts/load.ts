import { readFileSync } from 'node:fs';
import { type Language, languageNames } from '@ballot-beacon/contract/languages';
import { createTranslate, type Texts, type Translate } from '@ballot-beacon/contract/translate';

const folder = new URL('../../../../../locales/', import.meta.url);
const files = new Map<Language, Texts | undefined>();

/** The words of messages in one language, as shipped; undefined when `locales/` has none. */
function shippedTexts(language: Language): Texts | undefined {
  if (!files.has(language)) files.set(language, readTexts(language));
  return files.get(language);
}

/** Languages in which messages can be written. */
export function messageLanguages(): Language[] {
  return languageNames.filter((language) => shippedTexts(language) !== undefined);
}

/**
 * The function that words an account's messages: the office's own texts over the shipped ones. A language without
 * texts is written in English.
 */
export function messageTranslate(
  language: Language,
  overrides: Texts = {},
): { t: Translate; language: Language } {
  const own = shippedTexts(language);
  const used = own ? language : 'english';
  const texts = { ...(own ?? shippedTexts('english')), ...(own ? overrides : {}) };
  return { t: createTranslate(used, texts), language: used };
}

/** Texts of the page that messages say in the same words. */
const shared = /^(stopped\.|status\.accepted\.counting$)/;

function readTexts(language: Language): Texts | undefined {
  const read = (file: string) =>
    JSON.parse(readFileSync(new URL(`${language}/${file}.json`, folder), 'utf8')) as Texts;
  try {
    const ofPage = Object.entries(read('main')).filter(([key]) => shared.test(key));
    return { ...Object.fromEntries(ofPage), ...read('messages') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
