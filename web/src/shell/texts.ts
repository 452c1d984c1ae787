import { defaultLanguage, type Language } from '@ballot-beacon/contract/languages';
import { createTranslate, type Texts, type Translate } from '@ballot-beacon/contract/translate';
import { createContext, useContext } from 'react';

/** The one language a page is in. */
export interface PageTexts {
  readonly language: Language;
  readonly t: Translate;
  /** False while no native reviewer has been through the language. */
  readonly isReviewed: boolean;
}

export function createPageTexts(language: Language, texts: Texts, isReviewed: boolean): PageTexts {
  return {
    language,
    isReviewed,
    t: createTranslate(language, texts, (what) => console.warn(`No text in ${language}: ${what}`)),
  };
}

export const TextsContext = createContext<PageTexts>(createPageTexts(defaultLanguage, {}, true));
export const useTexts = () => useContext(TextsContext);
