import * as z from 'zod/mini';

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
