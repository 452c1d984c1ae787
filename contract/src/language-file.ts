import * as z from 'zod/mini';

/** One section of a language's texts, with the account's own texts merged in. */
export const LanguageFile = z.object({
  language: z.string(),
  locale: z.string(),
  section: z.string(),
  is_voter_authenticated: z.boolean(),
  /** False while no native reviewer has reviewed the whole language; the page then shows a note. */
  is_reviewed: z.boolean(),
  texts: z.record(z.string(), z.string()),
});
export type LanguageFile = z.infer<typeof LanguageFile>;
