import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { type Defect, defects } from './rule.ts';

const byText = z.record(z.string(), z.enum(defects));

/** What offices' reasons mean: per format its codes and whole reasons, and words for every format. */
const Reasons = z.strictObject({
  formats: z.record(
    z.string(),
    z.strictObject({ codes: z.optional(byText), reasons: z.optional(byText) }),
  ),
  /** The first that is in the reason's text applies. */
  words: z.array(z.strictObject({ contains: z.array(z.string()), defect: z.enum(defects) })),
});
const known = Reasons.parse(
  JSON.parse(readFileSync(new URL('./reasons.json', import.meta.url), 'utf8')),
);

/** A reason as an office's file gives it. */
export interface FiledReason {
  /** The name of the file's format; empty when there was no file. */
  readonly format: string;
  readonly code: string;
  readonly reason: string;
}

/**
 * What is wrong with an envelope. The office's words decide before its code, because counties define their codes themselves.
 * A reason that nobody has explained is `other`.
 */
export function readDefect({ format, code, reason }: FiledReason): Defect {
  const own = known.formats[format];
  const text = reason
    .trim()
    .replaceAll(/[\u2013\u2014]/g, '-')
    .replaceAll(/\s+/g, ' ');
  const lower = text.toLowerCase();
  const word = known.words.find(({ contains }) => contains.some((one) => lower.includes(one)));
  return own?.reasons?.[text.toUpperCase()] ?? word?.defect ?? own?.codes?.[code.trim()] ?? 'other';
}
