import type { ImportId } from '../../../platform/ids.ts';
import type { Tx } from '../../../platform/postgres.ts';
import type { Account } from '../../accounts/index.ts';
import type { Actor } from '../../audit/index.ts';
import type { TokenKeys } from '../../voters/index.ts';
import type { Format } from '../formats/format.ts';
import type { GateReason, ImportProgress } from '../kinds/kind.ts';
import type { SourceFile } from '../read/source-file.ts';
import type { ImportState } from './import-store.ts';
import type { RejectsList } from './rejects.ts';
import type { ImportReport } from './report.ts';
import type { WaitingImport } from './waiting-store.ts';

export interface ImportRequest {
  readonly account: Account;
  readonly format: Format;
  readonly file: SourceFile;
  /** The election's number, for formats whose files do not say. */
  readonly election?: string | undefined;
  /** The file is the whole roll: missing voters become inactive. */
  readonly isFull?: boolean;
  readonly isDryRun?: boolean;
  readonly operator: Actor;
  /** What the audit keeps beside it, such as who ran the command. */
  readonly record?: Readonly<Record<string, unknown>>;
  /** The waiting file that this is, which a second person has approved. */
  readonly released?: WaitingImport;
  /** Where the rejects file goes, and in a folder of it a copy of a file that waits; created when it is needed. */
  readonly rejectsDirectory: string;
  /** False: refused rows are counted by reason and not listed, because their sender cannot read our files. */
  readonly keepsRejects?: boolean;
  /** Where refused rows are listed instead of a file of `rejectsDirectory`. */
  readonly openRejects?: () => RejectsList;
  /** False: the file is kept elsewhere, and no copy is made when it waits. */
  readonly keepsCopy?: boolean;
  /** There is nobody who could approve it, and no copy: what would wait is refused. */
  readonly neverWaits?: boolean;
  /** Why a person wants somebody else to approve the file, whatever the gate finds. */
  readonly askedReason?: GateReason | undefined;
  /** By which security tokens are stored. Left out: a file with tokens is refused. */
  readonly tokenKeys?: TokenKeys;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** How long to wait for another import of the account; without end where it is not given. */
  readonly patienceMs?: number;
  /** Called in the transaction after the ballots' events are written; what it finds goes into the report. */
  readonly afterEvents?: (
    tx: Tx,
    importId: ImportId,
    rowsRead: number,
    /** What the file changes was judged before. */
    isJudged: boolean,
  ) => Promise<AfterEvents>;
  /**
   * Called in the transaction once everything of the file is written, and for a file that the gate will stop too: what the
   * file would do can be read there, and is then rolled back.
   */
  readonly inspect?: (tx: Tx, importId: ImportId) => Promise<void>;
  /** Called in the transaction that records how the import ended, whatever became of the file. */
  readonly whenRecorded?: (tx: Tx, importId: ImportId) => Promise<void>;
}

export interface AfterEvents {
  /** `messages-held` while the messages wait for approval. */
  readonly state: 'done' | 'messages-held';
  readonly reasons: readonly { readonly code: string; readonly detail: string }[];
}

export interface ImportOutcome {
  /** Null for a dry run. */
  readonly importId: ImportId | null;
  readonly state: ImportState;
  readonly report: ImportReport;
  /** By the reason of refusals, the first value that it is about. A voter's data, which no report keeps. */
  readonly firstValues?: ReadonlyMap<string, string>;
}
