import { createFormats, type Formats } from '@ballot-beacon/contract/formats';
import { defaultLanguage, type Language } from '@ballot-beacon/contract/languages';
import { createTranslate, type Texts, type Translate } from '@ballot-beacon/contract/translate';
import { createContext, useContext } from 'react';

/** The one language a page is in. */
export interface PageTexts {
  readonly language: Language;
  readonly t: Translate;
  /** Dates and numbers as that language writes them, in the account's time zone. */
  readonly formats: Formats;
}

export function createPageTexts(language: Language, texts: Texts, timeZone: string): PageTexts {
  return {
    language,
    t: createTranslate(language, texts, (what) => console.warn(`No text in ${language}: ${what}`)),
    formats: createFormats(language, timeZone),
  };
}

export const TextsContext = createContext<PageTexts>(createPageTexts(defaultLanguage, {}, 'UTC'));
export const useTexts = () => useContext(TextsContext);
