import * as z from 'zod/mini';
import { BallotStatusProgress, NoBallotStatus } from './ballot-status-progress.ts';
import { Branding, LanguageName } from './branding.ts';
import { LanguageFile } from './language-file.ts';
import { DeliveryTypeAnswer, VoterInformation } from './voter-information.ts';

/** The critical data of a signed-in voter (product spec §7, Start-up). */
export const CriticalData = z.object({
  voter: VoterInformation,
  progress: BallotStatusProgress,
  /** Present when no ballot's election is active. */
  no_ballot_status: z.nullable(NoBallotStatus),
  delivery_types: DeliveryTypeAnswer,
});
export type CriticalData = z.infer<typeof CriticalData>;

/**
 * What the server puts into the page as `<script type="application/json" id="bootstrap">`, so that the first paint
 * needs no further call. `critical` is null for visitors without a session.
 */
export const Bootstrap = z.object({
  branding: Branding,
  language: LanguageName,
  language_file: LanguageFile,
  /** Whether `language_file` has only what the sign-in page says by itself; the rest is fetched before it is needed. */
  has_more_texts: z.optional(z.boolean()),
  flags: z.record(z.string(), z.boolean()),
  critical: z.nullable(CriticalData),
  /** The browser's language, for a visitor who has not chosen one, and the question in that language. */
  language_offer: z.optional(z.object({ language: LanguageName, question: z.string() })),
  /** The office's questions and answers as sanitized HTML, on the page that shows them. */
  faq: z.optional(z.string()),
});
export type LanguageOffer = NonNullable<Bootstrap['language_offer']>;
export type Bootstrap = z.infer<typeof Bootstrap>;

export { bootstrapElementId } from './bootstrap-element.ts';
