import * as z from 'zod/mini';
import { setting } from './setting.ts';

/** What voters get to know about a ballot that stopped in the mail. */
export const StoppedMailSettings = z.strictObject({
  page: setting(z._default(z.boolean(), true), 'Whether a voter’s page says so.'),
  messages: setting(
    z._default(z.boolean(), false),
    'Whether voters get a message when something is left to do. A false alarm frightens, so this is off until an office wants it.',
  ),
  messages_limit_percent: setting(
    z._default(z.number().check(z.minimum(0), z.maximum(100)), 1),
    'If a larger share of the ballots in the mail stops at once (and more than 20), their voters get no message; the office finds it under Today.',
    'percent, 0 to 100',
  ),
  replacement_days: setting(
    z._default(z.nullable(z.int().check(z.minimum(0), z.maximum(60))), null),
    'The office mails a replacement ballot until so many days before election day; null: voters are asked to call.',
    'number of days, or `null`',
  ),
});
export type StoppedMailSettings = z.infer<typeof StoppedMailSettings>;
