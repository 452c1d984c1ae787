import * as z from 'zod/mini';
import { FlagState } from './flags.ts';
import { LanguageName, previewScreens } from './words.ts';

const HexColor = z
  .string()
  .check(z.regex(/^#[0-9a-fA-F]{6}$/, 'Use # and six digits or letters a to f, such as #1f5fa8.'));

const onRecord = {
  audit_id: z.int(),
  /** Instant, ISO 8601. */
  at: z.string(),
  who: z.string(),
};

/** How an office's page looks beside its words and images. Changes newest first, by the console and by commands. */
export const Appearance = z.object({
  color: z.object({
    now: z.string(),
    changes: z.array(z.object({ ...onRecord, from: z.string(), to: z.string() })),
  }),
  /** Whether the sign-in page says that many people are using it. */
  outage: z.object({
    state: FlagState,
    /** What it is where the office chose nothing. */
    default_value: z.boolean(),
    /** Switches come from LaunchDarkly, so that this one has no effect. */
    is_elsewhere: z.boolean(),
    changes: z.array(z.object({ ...onRecord, from: FlagState, to: FlagState })),
  }),
});
export type Appearance = z.infer<typeof Appearance>;

/** Refused where the color is not `from` any more. */
export const ColorChange = z.strictObject({ from: z.string(), to: HexColor });

/** A page as it would be; what is left out stays as it is. */
export const AppearanceQuery = z.object({
  screen: z.enum(previewScreens),
  language: LanguageName,
  color: z.optional(HexColor),
  outage: z.optional(z.enum(['on', 'off'])),
});
