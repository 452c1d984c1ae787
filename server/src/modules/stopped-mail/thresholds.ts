import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { stids } from '../mail-pieces/index.ts';

const days = z.int().check(z.minimum(1));
const source = z.string().check(z.minLength(1));
const mailClasses = ['first-class', 'marketing', 'other'] as const;
const Outbound = z.strictObject({
  /** After the office mailed it, without any scan. */
  notSeenBusinessDays: days,
  /** After the day on which USPS expected to deliver it. */
  lateBusinessDays: days,
  /** After the latest scan. */
  noScanBusinessDays: days,
  source,
});

const Thresholds = z.strictObject({
  about: z.string(),
  checkedOn: z.iso.date(),
  classes: z.record(z.string(), z.enum(mailClasses)),
  outbound: z.strictObject({ 'first-class': Outbound, marketing: Outbound, other: Outbound }),
  inbound: z.strictObject({
    /** After the latest scan of the return envelope, without a record of the office. */
    notReceivedBusinessDays: days,
    source,
  }),
  /** Calendar days before the deadline from which mail is no longer advised. */
  advice: z.strictObject({ dropBoxDays: days, inPersonDays: days, source }),
  /** So many at one facility on one day are one notice to the office. */
  incident: z.strictObject({ envelopes: days, source }),
});

/** A class of mail, as far as its speed differs. */
export type MailClass = (typeof mailClasses)[number];

/** `thresholds.json`: correct facts there, never in code. */
export const thresholds = Thresholds.parse(
  JSON.parse(readFileSync(new URL('./thresholds.json', import.meta.url), 'utf8')),
);

/** @param trackingCode the first 20 digits of the barcode, whose third to fifth say the class */
export function mailClassOf(trackingCode: string): MailClass {
  const known = stids.get(trackingCode.slice(2, 5))?.class ?? '';
  return thresholds.classes[known] ?? 'other';
}
