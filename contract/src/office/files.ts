import * as z from 'zod/mini';
import { listPage, RowId } from './filters.ts';

export const FilesQuery = z.object(listPage);
export const FileParams = z.object({ import_id: RowId });

/** What happened to a file, by the words of `beacon imports`. */
export const FileState = z.enum([
  'done',
  'nothing-new',
  'file-held',
  'messages-held',
  'released',
  'corrected',
  'discarded',
  'refused',
]);
export type FileState = z.infer<typeof FileState>;

const ListedFile = z.object({
  import_id: z.int(),
  file_name: z.string(),
  format: z.string(),
  state: FileState,
  /** Who imported it, by name. */
  imported_by: z.string(),
  /** Instants, ISO 8601. */
  finished_at: z.string(),
  rows_read: z.int(),
  rows_refused: z.int(),
});
export type ListedFile = z.infer<typeof ListedFile>;

export const FilesAnswer = z.object({
  files: z.array(ListedFile),
  /** The key of the next page; null on the last. */
  next: z.nullable(z.int()),
});
export type FilesAnswer = z.infer<typeof FilesAnswer>;

/** What was done to a file, by the words of the audit. */
export const FileAction = z.enum([
  'file.import',
  'file.refuse',
  'import.approve',
  'import.release',
  'import.discard',
  'import.correct',
  'import.expire',
  'import.fail',
]);
export type FileAction = z.infer<typeof FileAction>;

const Count = z.object({ name: z.string(), before: z.int(), after: z.int() });

/** When the last of an import's messages leaves, by the limits of their senders, voters' hours and what waits before them. */
export const MessageFinish = z.object({
  earliest_at: z.string(),
  /** The same, except close to the limit of a day, where a few more parts take another day. */
  latest_at: z.string(),
  /** Messages that will be more than three days old before they could leave. */
  too_old: z.int(),
});
export type MessageFinish = z.infer<typeof MessageFinish>;

export const FileAnswer = z.extend(ListedFile, {
  holds: z.enum(['voters', 'ballots', 'mailpieces', 'scans']),
  rows: z.object({
    added: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    refused: z.int(),
    passed_over: z.int(),
  }),
  /** Counts on record before the file and after it; of a waiting file, after its approval. */
  counts: z.array(Count),
  /** Why the file, or its messages, wait or waited. */
  reasons: z.array(
    z.object({
      detail: z.string(),
      examples: z.array(
        z.object({
          voter: z.string(),
          from: z.string(),
          to: z.string(),
          line: z.nullable(z.int()),
        }),
      ),
    }),
  ),
  refusals: z.array(z.object({ reason: z.string(), count: z.int(), line: z.int() })),
  /** Whether every refused row can be downloaded here. */
  has_rejects: z.boolean(),
  warnings: z.array(z.object({ message: z.string(), count: z.int() })),
  unknown_statuses: z.array(z.object({ value: z.string(), count: z.int() })),
  unknown_columns: z.array(z.string()),
  /** Why the whole file was refused, or never loaded. */
  ended_because: z.nullable(z.string()),
  /** What a correction would do now: messages to withdraw, and voters' messages to correct. */
  messages: z.object({ unsent: z.int(), sent: z.int() }),
  /** Of messages that wait for approval, if they were approved now; null when none waits to leave. */
  finish: z.nullable(MessageFinish),
  /** Whether an import of the office is running, perhaps this one. */
  is_loading: z.boolean(),
  /** Whether the signed-in person imported it, and so may not approve, return or correct it. */
  is_own: z.boolean(),
  history: z.array(
    z.object({ at: z.string(), who: z.string(), what: FileAction, reason: z.nullable(z.string()) }),
  ),
});
export type FileAnswer = z.infer<typeof FileAnswer>;

export const Decision = z.strictObject({
  reason: z
    .string()
    .check(
      z.trim(),
      z.minLength(3, 'Write the reason, for the record.'),
      z.maxLength(1000, 'Use at most 1,000 letters.'),
    ),
});

export const ReleaseDecision = z.extend(Decision, {
  /** What waited when the person looked. Once something else waits, or nothing, the approval is refused. */
  state: z.optional(z.enum(['file-held', 'messages-held'])),
});

export const DecisionAnswer = z.object({
  /** `loading` while a large file is still being loaded. */
  state: z.enum([...FileState.options, 'loading']),
});
export type DecisionAnswer = z.infer<typeof DecisionAnswer>;
