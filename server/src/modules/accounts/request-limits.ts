import * as z from 'zod/mini';
import { setting } from './setting.ts';

const message = 'must be a whole number of 1 or more';
const limitOf = (fallback: number) =>
  z._default(z.number().check(z.int(message), z.minimum(1, message)), fallback);

/** The most requests to confirm an address that an office's visitors can cause in a day, by channel. */
export const RequestLimits = z.strictObject({
  email: setting(limitOf(20_000), 'Emails.', 'whole number, 1 or more'),
  sms: setting(limitOf(5_000), 'Texts.', 'whole number, 1 or more'),
  voice: setting(limitOf(5_000), 'Calls.', 'whole number, 1 or more'),
});
