import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { MailSettings } from '../accounts/index.ts';
import type { Imb } from './imb.ts';

/** To the voter, or back to the office. */
export type Direction = 'outbound' | 'inbound';

const text = z.nullable(z.string().check(z.minLength(1)));

/** A service type of the barcode, from `stids.json`. */
const Stid = z.strictObject({
  stid: z.string().check(z.regex(/^\d{3}$/)),
  direction: z.enum(['outbound', 'inbound']),
  /** Null when no source says it. */
  class: text,
  service: text,
  /** What USPS does with an undeliverable piece; null when unknown. */
  undeliverable: z.nullable(z.enum(['forwarded', 'returned'])),
  retired: z.boolean(),
  note: z.string(),
  source: z.string().check(z.minLength(1)),
});
export type Stid = z.infer<typeof Stid>;

/** The known service types, by number: correct facts in `stids.json`, never in code. */
export const stids: ReadonlyMap<string, Stid> = new Map(
  z
    .array(Stid)
    .parse(JSON.parse(readFileSync(new URL('./stids.json', import.meta.url), 'utf8')))
    .map((one) => [one.stid, one]),
);

/**
 * The direction of an envelope with this barcode. The office's own settings come first: a mailer ID, serial numbers and
 * a destination that only return envelopes have, then its setting for the service type; then the product's table.
 *
 * @returns null when unknown: scans of the piece are stored but not shown
 */
export function directionOf(
  {
    mailerId,
    serial,
    routing,
    serviceType,
  }: Pick<Imb, 'mailerId' | 'serial' | 'routing' | 'serviceType'>,
  settings: MailSettings,
): Direction | null {
  const { inbound_mailer_ids, inbound_serials, inbound_zips } = settings;
  if (inbound_mailer_ids.includes(mailerId)) return 'inbound';
  const isReturn = inbound_serials.some(
    ({ mailer_id, from, to }) => mailer_id === mailerId && serial >= from && serial <= to,
  );
  if (isReturn) return 'inbound';
  if (routing.length >= 9) {
    const zip = routing.slice(0, 9);
    if (inbound_zips.some((one) => one.replace('-', '') === zip)) return 'inbound';
  }
  const own = settings.stids[serviceType];
  return own === undefined ? (stids.get(serviceType)?.direction ?? null) : own;
}
