import * as z from 'zod/mini';
import { setting } from './setting.ts';

/** What voters get to know about a ballot that stopped in the mail. */
export const StoppedMailSettings = z.strictObject({
  page: setting(z._default(z.boolean(), true), 'Whether a voter’s page says so.'),
  replacement_days: setting(
    z._default(z.nullable(z.int().check(z.minimum(0), z.maximum(60))), null),
    'The office mails a replacement ballot until so many days before election day; null: voters are asked to call.',
    'number of days, or `null`',
  ),
});
export type StoppedMailSettings = z.infer<typeof StoppedMailSettings>;
