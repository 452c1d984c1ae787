import type { Language } from '@ballot-beacon/contract/languages';
import { createTranslate, type Texts, type Translate } from '@ballot-beacon/contract/translate';
import type { Catalog, Section } from './catalog.ts';
import { isHtmlKey, sanitizeOfficeHtml } from './office-html.ts';
import type { Override } from './store.ts';

/**
 * What an office has to say to every visitor now. An alert that is written in English only is shown in English to everyone: it
 * must not be missed.
 */
export const officeAlertKey = 'alert.office.html';

/** The texts of one account: the product's texts, overridden by the account's own. */
export interface AccountTexts {
  readonly texts: (language: Language, section: Section) => Texts;
  readonly isReviewed: (language: Language) => boolean;
  /** A missing key is shown as the key itself; the checks of the build guarantee that no shipped key is missing. */
  readonly translator: (language: Language, section?: Section) => Translate;
}

export function layOver(catalog: Catalog, overrides: readonly Override[]): AccountTexts {
  const merged = new Map<string, Texts>();
  const translators = new Map<string, Translate>();
  const texts = (language: Language, section: Section): Texts => {
    const ofSection = overrides.filter((override) => override.section === section);
    const own = ofSection.filter((override) => override.language === language);
    const alert = ofSection.find(
      (override) => override.language === 'english' && override.key === officeAlertKey,
    );
    if (alert && !own.some(({ key }) => key === officeAlertKey))
      own.push({ ...alert, value: `<section lang="en" dir="ltr">${alert.value}</section>` });
    const shipped = catalog.texts(language, section);
    if (own.length === 0) return shipped;
    const words = own.map(({ key, value }) => [
      key,
      isHtmlKey(key) ? sanitizeOfficeHtml(value) : value,
    ]);
    return { ...shipped, ...Object.fromEntries(words) };
  };
  return {
    texts: (language, section) =>
      remember(merged, `${language}/${section}`, () => texts(language, section)),
    isReviewed: catalog.isReviewed,
    translator: (language, section = 'main') =>
      remember(translators, `${language}/${section}`, () =>
        createTranslate(language, texts(language, section)),
      ),
  };
}

function remember<Value>(cache: Map<string, Value>, key: string, make: () => Value): Value {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = make();
  cache.set(key, made);
  return made;
}

/** Why a text cannot replace a key's; undefined if it can. */
export function findOverrideProblem(
  catalog: Catalog,
  { section, key, value }: { section: Section; key: string; value: string },
): string | undefined {
  const shipped = catalog.texts('english', section);
  const original = Object.hasOwn(shipped, key) ? shipped[key] : undefined;
  if (original === undefined && !ownKeys.has(key)) {
    return `${section}.json has no text ${key}.`;
  }
  const known = placeholdersOf(original ?? '');
  const foreign = placeholdersOf(value).find((name) => !known.includes(name));
  if (foreign === undefined) return undefined;
  return `{{${foreign}}} is not available in ${key}; it can contain ${known.map((name) => `{{${name}}}`).join(', ') || 'no placeholder'}.`;
}

/** Texts that only an office can set. */
const ownKeys: ReadonlySet<string> = new Set(['profile.countyInfo.html']);

function placeholdersOf(text: string): string[] {
  return [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name = '']) => name);
}
