import * as z from 'zod/mini';
import { FilterDay, listPage } from './filters.ts';

/** What an entry is about: the first word of its action. */
export const logAreas = {
  files: ['file', 'import', 'upload', 'sending'],
  voters: [
    ...['voter', 'ballot', 'fixes', 'message', 'messages', 'session', 'preferences'],
    ...['ballot-codes', 'letter-code', 'letter-codes', 'fix-letters', 'contact-code'],
  ],
  people: ['person', 'office-session', 'command-session'],
  office: [
    ...['account', 'election', 'deadline', 'translation', 'no-ballot', 'page', 'release-note'],
    ...['alert', 'flag', 'scan-push', 'database'],
  ],
  security: ['security'],
} as const;

export type LogArea = keyof typeof logAreas;
export const logAreaNames = Object.keys(logAreas) as [LogArea, ...LogArea[]];

const filter = {
  area: z.optional(z.enum(logAreaNames)),
  /** Who acted, as the entries name it. */
  actor: z.optional(
    z.string().check(z.maxLength(400), z.regex(/^[^\p{Cc}]+$/u, 'Choose a name in the log.')),
  ),
  /** The first and the last day, in the office's time zone: `YYYY-MM-DD`. */
  from: FilterDay,
  to: FilterDay,
};

export const LogQuery = z.object({
  ...filter,
  ...listPage,
});
export type LogQuery = z.infer<typeof LogQuery>;

export const LogFileQuery = z.object(filter);

/** Who did what in the office. What voters do themselves is not among it. */
export const LogAnswer = z.object({
  entries: z.array(
    z.object({
      audit_id: z.int(),
      /** Instant, ISO 8601. */
      at: z.string(),
      actor: z.string(),
      /** The actor's name, for people of this office. */
      who: z.string(),
      /** `noun.verb` */
      action: z.string(),
      target: z.string(),
      details: z.array(z.object({ name: z.string(), value: z.string() })),
    }),
  ),
  /** The key of the next page; null on the last. */
  next: z.nullable(z.int()),
});
export type LogAnswer = z.infer<typeof LogAnswer>;
