import * as z from 'zod/mini';
import { setting } from './setting.ts';

const words = () => z._default(z.string().check(z.trim(), z.maxLength(200)), '');
const webAddress = () =>
  z._default(
    z.nullable(z.url({ protocol: /^https$/, error: 'must be a web address, https://…' })),
    null,
  );

/** How voters of an office fix a returned envelope. Hosting such forms is the office's or the state's part. */
export const FixSettings = z.strictObject({
  online_form: setting(
    webAddress(),
    'The online form of the office or the state.',
    'web address, `https://…`',
  ),
  text_service: setting(
    z._default(
      z.nullable(
        z.strictObject({
          keyword: setting(
            z.string().check(z.regex(/^[A-Za-z0-9]{1,20}$/, 'must be one word')),
            'The word to send.',
            'one word',
          ),
          number: setting(
            z.string().check(z.regex(/^[\d ()+-]{5,20}$/, 'must be a phone number or short code')),
            'Where to send it.',
            'phone number or short code',
          ),
        }),
      ),
      null,
    ),
    'A service by text message, such as TXT2Cure.',
  ),
  form: setting(webAddress(), 'The form to print, as PDF.', 'web address, `https://…`'),
  not_returned_form: setting(
    webAddress(),
    'Where a voter reports that they did not return the ballot.',
    'web address, `https://…`',
  ),
  visit_address: setting(
    words(),
    'Where voters fix an envelope in person.',
    'address, up to 200 characters',
  ),
  visit_hours: setting(
    z._default(
      z.array(
        z.strictObject({
          days: setting(
            z
              .string()
              .check(
                z.regex(
                  /^(sun|mon|tue|wed|thu|fri|sat)(-(sun|mon|tue|wed|thu|fri|sat))?$/,
                  'must be weekdays such as mon-fri or sat',
                ),
              ),
            'The weekdays of these hours.',
            'weekdays such as `mon-fri` or `sat`',
          ),
          open: setting(clockTime(), 'When the office opens.', 'time, `HH:mm`'),
          close: setting(clockTime(), 'When it closes.', 'time, `HH:mm`'),
        }),
      ),
      [],
    ),
    'When voters can come, in the account’s time zone.',
  ),
  drop_boxes: setting(
    words(),
    'Drop boxes that take the form, where they do.',
    'text, up to 200 characters',
  ),
  email: setting(
    z._default(
      z.union([z.literal(''), z.email('must be an email address')], 'must be an email address'),
      '',
    ),
    'The address that takes the filled-in form.',
    'email address',
  ),
  fax: setting(words(), 'The fax number that takes it.', 'phone number'),
  mail_address: setting(
    words(),
    'The address that takes it by mail.',
    'address, up to 200 characters',
  ),
  reminders: setting(
    z._default(
      z.array(
        z
          .string()
          .check(
            z.regex(
              /^(half|last-morning|[1-9]\d{0,2}h)$/,
              'must be half, last-morning or hours such as 48h',
            ),
          ),
      ),
      ['half', '48h', '24h', 'last-morning'],
    ),
    'When voters are reminded: at half of the time, so many hours before the deadline, at 9 AM of its day. An empty list: never.',
    'list of `half`, `last-morning` and hours such as `48h`',
  ),
  closed: setting(
    z._default(
      z
        .array(
          z
            .string()
            .check(
              z.regex(
                /^((mon|tue|wed|thu|fri)|\d{4}-\d{2}-\d{2})$/,
                'must be a weekday such as fri, or a day such as 2026-11-27',
              ),
            ),
        )
        .check(
          z.refine(
            (list) => new Set(list.filter((one) => one.length === 3)).size < 5,
            'must leave a day on which the office is open',
          ),
        ),
      [],
    ),
    'Weekdays and days on which the office is closed, beside weekends and the state’s holidays: business days of a deadline leave them out.',
    'list of weekdays (`fri`) and days (`2026-11-27`)',
  ),
});
export type FixSettings = z.infer<typeof FixSettings>;

function clockTime() {
  return z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time, HH:mm'));
}
