import * as z from 'zod/mini';
import { LanguageName } from './words.ts';

/** At most so many bytes of a translated file: several times what offices write. */
export const mostTranslationBytes = 4 * 1024 * 1024;

export const TranslationsQuery = z.object({ language: LanguageName });

/** What became of a file that translators sent back. Nothing of it is published. */
export const TranslationsImported = z.object({
  language: LanguageName,
  /** Texts of which the file made a draft. */
  drafted: z.array(z.string()),
  /** Texts that say already what the file says. */
  unchanged: z.int(),
  /** Texts that nobody has translated in the file. */
  untranslated: z.int(),
  /** What could not become a draft, and why, in words for a clerk. */
  refused: z.array(z.object({ text: z.string(), reason: z.string() })),
});
export type TranslationsImported = z.infer<typeof TranslationsImported>;
