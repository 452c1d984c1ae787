import type { Language } from '@ballot-beacon/contract/languages';
import { findBrokenParts } from '../text-review/index.ts';

/**
 * Which placeholder or HTML tag of the English a wording lacks or adds, as a sentence for its editor; undefined where it has
 * them all.
 *
 * @param key as in `locales/`
 */
export function explainBrokenPart(
  language: Language,
  key: string,
  english: string,
  wording: string,
): string | undefined {
  const [broken] = findBrokenParts(language, key, english, wording);
  return broken && `${reasons[broken[0]]} ${broken[1]}`;
}

const reasons = {
  'placeholders-differ': 'Keep the words in double braces as they are in English:',
  'tags-differ': 'Keep the HTML tags as they are in English:',
} as const;
