import * as z from 'zod/mini';
import { MessageFinish } from './files.ts';

/** Of each piece but the last: at a tenth of a megabyte a second, a piece still comes in time. */
export const pieceBytes = 512 * 1024;
/** A statewide roll of eight million voters as it is exported, packed or not. */
export const mostUploadBytes = 4 * 1024 ** 3;
const mostPieces = mostUploadBytes / pieceBytes;

const number = (most: number) => z.coerce.number().check(z.int(), z.minimum(0), z.maximum(most));

export const UploadParams = z.object({ upload_id: number(Number.MAX_SAFE_INTEGER) });
export const PieceParams = z.extend(UploadParams, { piece: number(mostPieces - 1) });
const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));
export const PieceQuery = z.object({
  /** Of the piece, in hex. */
  sha256: Sha256,
});

export const NewUpload = z.strictObject({
  file_name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'The file has no name.'),
      z.maxLength(200, 'Use a file name of at most 200 letters.'),
      z.regex(/^[^/\\\p{Cc}]+$/u, 'Use a file name without slashes.'),
    ),
  /** Bytes. */
  size: z
    .int()
    .check(
      z.minimum(1, 'The file is empty. Export it again, and check that the export has finished.'),
      z.maximum(
        mostUploadBytes,
        'The file is larger than 4 GB. Pack it as zip or gz, or export it in parts.',
      ),
    ),
});

/** How to read the file. Left out: as its first line and the account say. */
export const UploadReading = z.strictObject({
  format: z.optional(z.string().check(z.maxLength(100))),
  /** Number of the election, for files that do not name it. */
  election: z.optional(z.string().check(z.maxLength(100))),
  /** The file is the whole voter roll: voters who are missing become inactive. */
  is_full: z.optional(z.boolean()),
});

export const UploadDecision = z.strictObject({
  /** The check whose result the person has seen. */
  check: z.int(),
  /** Why a second person shall approve the file, even when nothing looks wrong. */
  ask_because: z.optional(
    z
      .string()
      .check(
        z.trim(),
        z.minLength(3, 'Write what the second person should check.'),
        z.maxLength(1000, 'Use at most 1,000 letters.'),
      ),
  ),
});

/**
 * `receiving`: pieces are missing; `checking`: it is read, and nothing changes; `ready`: a person decides; `importing`: it is
 * loaded, wholly or not at all; `imported`: the import says what became of it.
 */
export const UploadState = z.enum([
  'receiving',
  'checking',
  'ready',
  'importing',
  'imported',
  'deleted',
]);
export type UploadState = z.infer<typeof UploadState>;

const Count = z.object({ name: z.string(), before: z.int(), after: z.int() });

/** What a file would do, all of it by the import itself, which was then rolled back. */
export const UploadPreview = z.object({
  /** Instant, ISO 8601. */
  checked_at: z.string(),
  /** `ready`: it is loaded at once; `waits`: a second person must approve it; `nothing-new`: the same as before. */
  outcome: z.enum(['ready', 'waits', 'nothing-new', 'refused']),
  format: z.string(),
  holds: z.enum(['voters', 'ballots', 'mailpieces', 'scans']),
  rows: z.object({
    read: z.int(),
    added: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    refused: z.int(),
    passed_over: z.int(),
  }),
  counts: z.array(Count),
  /** What the gate says: why a second person must approve the file. */
  reasons: z.array(z.string()),
  /** Why its messages would wait, where the file itself does not. */
  message_reasons: z.array(z.string()),
  /** Why the whole file would be refused. */
  refused_because: z.nullable(z.string()),
  refusals: z.array(z.object({ reason: z.string(), count: z.int(), line: z.int() })),
  /** The first refused rows. */
  refused_rows: z.array(
    z.object({
      line: z.int(),
      column: z.nullable(z.string()),
      value: z.nullable(z.string()),
      reason: z.string(),
    }),
  ),
  warnings: z.array(z.object({ message: z.string(), count: z.int() })),
  unknown_statuses: z.array(z.object({ value: z.string(), count: z.int() })),
  unknown_columns: z.array(z.string()),
  /** Some of the changes, of each kind. */
  samples: z.array(
    z.object({
      voter: z.string(),
      /** Empty for a confidential voter. */
      name: z.string(),
      changes: z.array(z.object({ what: z.string(), from: z.string(), to: z.string() })),
    }),
  ),
  messages: z.array(
    z.object({
      /** A ballot's status, or the kind of another message. */
      about: z.string(),
      language: z.string(),
      channel: z.string(),
      count: z.int(),
      subject: z.nullable(z.string()),
      /** As one of these voters would get it. */
      text: z.string(),
    }),
  ),
  /** When the last message leaves at the latest; null without messages. */
  last_message_at: z.nullable(z.string()),
  /** Missing in checks of earlier versions. */
  finish: z.optional(z.nullable(MessageFinish)),
});
export type UploadPreview = z.infer<typeof UploadPreview>;

const ListedUpload = z.object({
  upload_id: z.int(),
  file_name: z.string(),
  /** Bytes. */
  size: z.int(),
  state: UploadState,
  uploaded_by: z.string(),
  /** Whether the signed-in person uploaded it, who alone may import it. */
  is_own: z.boolean(),
  created_at: z.string(),
  received_bytes: z.int(),
});
export type ListedUpload = z.infer<typeof ListedUpload>;

export const UploadAnswer = z.extend(ListedUpload, {
  piece_bytes: z.int(),
  /** The pieces that are here, while others are missing. */
  received: z.array(z.object({ piece: z.int(), sha256: z.string() })),
  format: z.nullable(z.string()),
  election: z.nullable(z.string()),
  is_full: z.boolean(),
  /** Counts the checks. */
  check: z.int(),
  /** Of the file, read by the check or the import that is under way; null while none is. */
  progress_bytes: z.nullable(z.int()),
  /** Why it could not be read or imported, and what to do. */
  problem: z.nullable(z.string()),
  preview: z.nullable(UploadPreview),
  import_id: z.nullable(z.int()),
});
export type UploadAnswer = z.infer<typeof UploadAnswer>;

export const UploadsAnswer = z.object({
  uploads: z.array(ListedUpload),
  formats: z.array(z.object({ name: z.string(), title: z.string() })),
  elections: z.array(z.object({ number: z.string(), name: z.string() })),
  most_bytes: z.int(),
});
export type UploadsAnswer = z.infer<typeof UploadsAnswer>;
