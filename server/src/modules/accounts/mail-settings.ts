import * as z from 'zod/mini';
import { setting } from './setting.ts';

const digits = (pattern: RegExp, message: string) => z.string().check(z.regex(pattern, message));
const mailerId = () =>
  digits(
    /^([0-8]\d{5}|9\d{8})$/,
    'must be a mailer ID: six digits, or nine digits that begin with 9',
  );
const serial = () => digits(/^(\d{6}|\d{9})$/, 'must be a serial number of six or nine digits');

/** How an office's barcodes show which way an envelope goes, where the product's table of service types does not. */
export const MailSettings = z.strictObject({
  stids: setting(
    z._default(
      z.record(
        digits(/^\d{3}$/, 'must be a service type of three digits'),
        z.nullable(z.enum(['outbound', 'inbound'])),
      ),
      {},
    ),
    'The direction of a service type (STID); null: nothing is known about it. Overrides the product’s table.',
    'by service type: `outbound`, `inbound` or `null`',
  ),
  inbound_mailer_ids: setting(
    z._default(z.array(mailerId()), []),
    'Mailer IDs that are only on return envelopes.',
    'list of mailer IDs: six digits, or nine digits that begin with 9',
  ),
  inbound_serials: setting(
    z._default(
      z.array(
        z
          .strictObject({
            mailer_id: setting(
              mailerId(),
              'The mailer ID that both ways share.',
              'six digits, or nine digits that begin with 9',
            ),
            from: setting(
              serial(),
              'The first serial number of return envelopes.',
              'six or nine digits',
            ),
            to: setting(serial(), 'The last one; it counts too.', 'six or nine digits'),
          })
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
    'Serial numbers of return envelopes, where both ways have one mailer ID.',
  ),
  inbound_zips: setting(
    z._default(z.array(digits(/^\d{5}-?\d{4}$/, 'must be a ZIP+4 code such as 34811-0001')), []),
    'The office’s own ZIP+4 codes, to which return envelopes go.',
    'list of ZIP+4 codes, such as `34811-0001`',
  ),
});
export type MailSettings = z.infer<typeof MailSettings>;
