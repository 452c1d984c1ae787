import * as z from 'zod/mini';

/** What is counted: a page, or something that happened on one. Nothing else has a row. */
export const countedNames = [
  'page:login',
  'page:dashboard',
  'page:preferences',
  'page:confirm-email',
  'page:privacy',
  'page:faq',
  'page:sms-policy',
  'page:unsubscribe',
  'page:qr-login',
  'page:accessibility',
  'page:not-found',
  'event:translations-failed',
] as const;
export type CountedName = (typeof countedNames)[number];

/**
 * One more view, without whose. The server counts each page it renders; the browser tells of the pages it goes to by
 * itself, and of events. Whoever sends Do Not Track or Global Privacy Control is not counted.
 */
export const ViewCount = z.strictObject({ name: z.enum(countedNames) });
