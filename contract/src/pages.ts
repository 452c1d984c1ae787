import * as z from 'zod/mini';
import { channels } from './messages.ts';

/** The channels an account offers; none means there is no preferences page (product spec §2, Routing). */
export const DeliveryTypeAnswer = z.object({
  _embedded: z.object({
    delivery_type: z.array(z.object({ delivery_type: z.enum(channels) })),
  }),
});
export type DeliveryTypeAnswer = z.infer<typeof DeliveryTypeAnswer>;

export const Faq = z.object({ content: z.string() });
export type Faq = z.infer<typeof Faq>;

const Link = z.object({ href: z.string() });

export const ReleaseNote = z.object({
  release_note_id: z.int(),
  release_note: z.string(),
  published_datetime: z.string(),
});
export const ReleaseNoteAnswer = z.object({
  _embedded: z.object({ release_note: z.array(ReleaseNote) }),
  _links: z.object({
    first: z.optional(Link),
    last: z.optional(Link),
    next: z.optional(Link),
    prev: z.optional(Link),
  }),
  page: z.int(),
  page_count: z.int(),
  page_size: z.int(),
  total_items: z.int(),
});
export type ReleaseNoteAnswer = z.infer<typeof ReleaseNoteAnswer>;

/** From a mailed link: the address and the HMAC that proves the link is ours. */
export const UnsubscribeRequest = z.strictObject({
  key: z.string().check(z.minLength(1), z.maxLength(200)),
  email: z.string().check(z.minLength(1), z.maxLength(254)),
});
export type UnsubscribeRequest = z.infer<typeof UnsubscribeRequest>;

/** From a QR code printed for one ballot, with the birth date (MM-DD-YYYY) that only its voter should know. */
export const BallotLoginRequest = z.strictObject({
  ballot_guid: z.string().check(z.minLength(1), z.maxLength(100)),
  date_of_birth: z.string().check(z.minLength(1), z.maxLength(20)),
});
export type BallotLoginRequest = z.infer<typeof BallotLoginRequest>;

/** Answer of GET /api/ldclient.php; null when flags come over OFREP from the app's own host. */
export const FlagClient = z.object({ client_id: z.nullable(z.string()) });
export type FlagClient = z.infer<typeof FlagClient>;
