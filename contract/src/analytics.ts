import * as z from 'zod/mini';

/** What is counted: a page, or an event on a page. Nothing else has a row. */
export const countedNames = [
  'page:login',
  'page:dashboard',
  'page:preferences',
  'page:messages',
  'page:confirm-email',
  'page:privacy',
  'page:faq',
  'page:sms-policy',
  'page:unsubscribe',
  'page:qr-login',
  'page:letter',
  'page:accessibility',
  'page:verify',
  'page:performance',
  'page:not-found',
  'event:translations-failed',
] as const;
export type CountedName = (typeof countedNames)[number];

/**
 * One more view, without any person. The server counts each page it renders; the browser reports the pages that it opens
 * itself, and events. Visitors who send Do Not Track or Global Privacy Control are not counted.
 */
export const ViewCount = z.strictObject({ name: z.enum(countedNames) });
