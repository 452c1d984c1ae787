import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isLanguage, type Language, languageNames } from '@ballot-beacon/contract/languages';
import type { Texts } from '@ballot-beacon/contract/translate';
import * as z from 'zod/mini';

export type Section = 'main' | 'messages';

/** Every shipped language's texts, held in memory; an account's own words are laid over them per account. */
export interface Catalogue {
  /** In the order of the contract's list; a language is here only when its folder is. */
  readonly languages: readonly Language[];
  /** Changes whenever a shipped text does. */
  readonly version: string;
  readonly texts: (language: Language, section: Section) => Texts;
}

const TextsFile = z.record(z.string(), z.string());

/**
 * Reads `LANGUAGE/main.json` and `LANGUAGE/messages.json` below `directory` (locales/).
 *
 * @throws when english is missing or a file is no flat object of texts.
 */
export function readCatalogue(directory: string): Catalogue {
  const hash = createHash('sha256');
  const found = new Map<string, Texts>();
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
  }
  return {
    languages,
    version: hash.digest('base64url').slice(0, 16),
    texts: (language, section) => found.get(`${language}/${section}`) ?? {},
  };
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{}';
    throw error;
  }
}
