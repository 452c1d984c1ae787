import { type Language, languages } from './languages.ts';

/** One language's texts: flat, dotted keys. Plural forms end in the CLDR category: `alerts.count_one`. */
export type Texts = Readonly<Record<string, string>>;
export type TextValues = Readonly<Record<string, string | number>>;
export type Translate = (key: string, values?: TextValues) => string;

/** By tag: each costs as much as looking up a hundred texts. */
const knownPlurals = new Map<string, Intl.PluralRules>();

/** Intl does not know Creole and Ilocano and would use the plurals of the reader's own system. */
function pluralsOf(tag: string): Intl.PluralRules {
  const plurals = knownPlurals.get(tag) ?? new Intl.PluralRules([tag, 'en']);
  knownPlurals.set(tag, plurals);
  return plurals;
}

/**
 * Creates the function that turns a key into text, the same in browser and server.
 *
 * `{{name}}` takes `values.name`; with `values.count` the key's plural form for the language is used
 * (`key_one`, `key_few`, …, then `key_other`). A period after a value that ends with its own is left out. A missing key or value is reported once through `onMissing`;
 * a missing key shows the key itself (product spec §1).
 */
export function createTranslate(
  language: Language,
  texts: Texts,
  onMissing: (what: string) => void = () => {},
): Translate {
  const reported = new Set<string>();
  const report = (what: string) => {
    if (reported.has(what)) return;
    reported.add(what);
    onMissing(what);
  };
  const plurals = pluralsOf(languages[language].tag);

  return (key, values = {}) => {
    const template = findTemplate(texts, plurals, key, values);
    if (template === undefined) {
      report(key);
      return key;
    }
    return template.replaceAll(/\{\{\s*(\w+)\s*\}\}(\.?)/g, (placeholder, name: string, stop) => {
      const value = values[name];
      // "7:00 p.m." at the end of a sentence ends it.
      if (value !== undefined) return String(value).endsWith('.') ? `${value}` : `${value}${stop}`;
      report(`${key} {{${name}}}`);
      return placeholder;
    });
  };
}

function findTemplate(
  texts: Texts,
  plurals: Intl.PluralRules,
  key: string,
  values: TextValues,
): string | undefined {
  const count = values.count;
  if (typeof count === 'number') {
    const plural = texts[`${key}_${plurals.select(count)}`] ?? texts[`${key}_other`];
    if (plural !== undefined) return plural;
  }
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}
