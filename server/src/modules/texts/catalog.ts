import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isLanguage, type Language, languageNames } from '@ballot-beacon/contract/languages';
import type { Texts } from '@ballot-beacon/contract/translate';
import * as z from 'zod/mini';

export type Section = 'main' | 'messages';

/** Every shipped language's texts, kept in memory; an account's own words are laid over them per account. */
export interface Catalog {
  /** In the order of the contract's list; a language is here only when its folder is. */
  readonly languages: readonly Language[];
  /** Changes whenever a shipped text does. */
  readonly version: string;
  readonly texts: (language: Language, section: Section) => Texts;
  /** Whether native reviewers have been through all of a language; English is the text that they review against. */
  readonly isReviewed: (language: Language) => boolean;
  /** A shipped page of HTML (`pages/NAME.html`), in english where the language has none; '' where there is none. */
  readonly page: (language: Language, name: PageName) => string;
}

const pageNames = ['faq'] as const;
export type PageName = (typeof pageNames)[number];

const TextsFile = z.record(z.string(), z.string());
const ReviewFile = z.object({ reviewed: z.boolean() });

/** The language that all others are translated from. */
const source: Language = 'english';
const unreviewed = JSON.stringify({ reviewed: false });

const catalogs = new Map<string, Catalog>();

/**
 * Reads `LANGUAGE/main.json`, `LANGUAGE/messages.json` and `LANGUAGE/review.json` below `directory` (locales/), once in a process:
 * what ships does not change while it runs.
 *
 * @throws when english is missing or a file is no flat object of texts.
 */
export function readCatalog(directory: string): Catalog {
  const known = catalogs.get(directory);
  if (known) return known;
  const catalog = readFiles(directory);
  catalogs.set(directory, catalog);
  return catalog;
}

function readFiles(directory: string): Catalog {
  const hash = createHash('sha256');
  const found = new Map<string, Texts>();
  const pages = new Map<string, string>();
  const reviewed = new Set<Language>();
  const folders = new Set(readdirSync(directory).filter(isLanguage));
  const languages = languageNames.filter((language) => folders.has(language));
  if (!folders.has('english')) throw new Error(`There is no english folder in ${directory}.`);
  for (const language of languages) {
    for (const section of ['main', 'messages'] as const) {
      const content = readIfThere(path.join(directory, language, `${section}.json`));
      const texts = TextsFile.parse(JSON.parse(content));
      hash.update(language).update(section).update(content);
      found.set(`${language}/${section}`, Object.freeze(texts));
    }
    const review = readIfThere(path.join(directory, language, 'review.json'), unreviewed);
    const isReviewed = language === source || ReviewFile.parse(JSON.parse(review)).reviewed;
    if (isReviewed) reviewed.add(language);
    hash.update(String(isReviewed));
    for (const name of pageNames) {
      const content = readIfThere(path.join(directory, language, 'pages', `${name}.html`), '');
      hash.update(language).update(name).update(content);
      pages.set(`${language}/${name}`, content);
    }
  }
  return {
    languages,
    version: hash.digest('base64url').slice(0, 16),
    texts: (language, section) => found.get(`${language}/${section}`) ?? {},
    isReviewed: (language) => reviewed.has(language),
    page: (language, name) =>
      pages.get(`${language}/${name}`) || (pages.get(`english/${name}`) ?? ''),
  };
}

function readIfThere(file: string, otherwise = '{}'): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw error;
  }
}
