import * as z from 'zod/mini';
import { setting } from './setting.ts';

/**
 * The kinds of numbers that texts come from, and what providers take from them, in parts: short codes and toll-free numbers as AWS
 * (docs.aws.amazon.com, sms-limitations-mps), ten-digit numbers as the best class of AT&T by minute and of T-Mobile by
 * day (developers.telnyx.com, rate-limiting; docs.bird.com, throughput-and-daily-caps).
 */
export const textNumberKinds = {
  'short-code': { perSecond: 100, perDay: null },
  'toll-free': { perSecond: 3, perDay: null },
  '10dlc': { perSecond: 75, perDay: 200_000 },
} as const;

const kinds = Object.keys(textNumberKinds) as (keyof typeof textNumberKinds)[];
const perSecond = () => z.number().check(z.minimum(0.1, 'must be 0.1 or more'));
const wholeNumber = 'must be a whole number of 1 or more';
const perDay = () =>
  z._default(z.nullable(z.number().check(z.int(wholeNumber), z.minimum(1, wholeNumber))), null);

/** What the providers take from the numbers of an office. */
export const SendingLimits = z.strictObject({
  sms: setting(
    z._default(
      z.strictObject({
        kind: setting(
          z._default(z.enum(kinds), 'short-code'),
          'The kind of the number: a short code sends 100 parts a second, a toll-free number 3, a ten-digit number 75 and 200,000 a day. Ten-digit numbers of a lower class send less: ask your provider, and set it below.',
        ),
        per_second: setting(
          z._default(z.nullable(perSecond()), null),
          'The most parts in any second. A text of up to 160 plain letters is one part.',
          'number, 0.1 or more; `null`: that of the kind',
        ),
        per_day: setting(
          perDay(),
          'The most parts in any 24 hours. News leave a twentieth of them to messages that are urgent.',
          'whole number, 1 or more; `null`: that of the kind',
        ),
      }),
      { kind: 'short-code', per_second: null, per_day: null },
    ),
    'Texts. Where offices share a number, the lowest of their limits applies.',
  ),
  voice: setting(
    z._default(
      z.strictObject({
        per_second: setting(
          z._default(perSecond(), 1),
          'The most calls that begin in a second.',
          'number, 0.1 or more',
        ),
        per_day: setting(
          perDay(),
          'The most calls in any 24 hours.',
          'whole number, 1 or more; `null`: no limit',
        ),
      }),
      { per_second: 1, per_day: null },
    ),
    'Calls.',
  ),
});
