import * as z from 'zod/mini';

const digits = (pattern: RegExp, message: string) => z.string().check(z.regex(pattern, message));
const mailerId = digits(
  /^([0-8]\d{5}|9\d{8})$/,
  'must be a mailer ID: six digits, or nine that begin with 9',
);
const serial = digits(/^(\d{6}|\d{9})$/, 'must be a serial number of six or nine digits');

/** How an office's barcodes tell which way an envelope goes, where the product's table of service types does not. */
export const MailSettings = z.strictObject({
  /** Of a service type (STID), the direction; null: nothing is known of it. It outranks the product's table. */
  stids: z._default(
    z.record(
      digits(/^\d{3}$/, 'must be a service type of three digits'),
      z.nullable(z.enum(['outbound', 'inbound'])),
    ),
    {},
  ),
  /** Mailer IDs that only return envelopes bear. */
  inbound_mailer_ids: z._default(z.array(mailerId), []),
  /** Serial numbers that return envelopes bear, where both ways have one mailer ID; both ends count. */
  inbound_serials: z._default(
    z.array(
      z
        .strictObject({ mailer_id: mailerId, from: serial, to: serial })
        .check(
          z.refine(
            ({ mailer_id, from, to }) =>
              from.length === to.length && from.length + mailer_id.length === 15 && from <= to,
            'must go up, and mailer ID and serial number have 15 digits together',
          ),
        ),
    ),
    [],
  ),
  /** The office's own ZIP+4 codes, to which return envelopes go. */
  inbound_zips: z._default(
    z.array(digits(/^\d{5}-?\d{4}$/, 'must be a ZIP+4 code such as 34811-0001')),
    [],
  ),
});
export type MailSettings = z.infer<typeof MailSettings>;
