import type { ImportId } from '../../../platform/ids.ts';
import type { Tx } from '../../../platform/postgres.ts';
import type { Account } from '../../accounts/index.ts';
import type { Actor } from '../../audit/index.ts';
import type { Format } from '../formats/format.ts';
import type { ImportProgress } from '../kinds/kind.ts';
import type { SourceFile } from '../read/source-file.ts';
import type { HeldImport, ImportState } from './import-store.ts';
import type { ImportReport } from './report.ts';

export interface ImportRequest {
  readonly account: Account;
  readonly format: Format;
  readonly file: SourceFile;
  /** The election's number, for formats whose files do not say. */
  readonly election?: string | undefined;
  /** The file is the whole roll: voters it lacks become inactive. */
  readonly isFull?: boolean;
  readonly isDryRun?: boolean;
  readonly operator: Actor;
  /** The held file that this is, which a second person has approved. */
  readonly released?: HeldImport;
  /** Where the rejects file goes, and into `held/` a file that is held; made when it is needed. */
  readonly rejectsDirectory: string;
  /** False: refused rows are counted by reason and not listed, because their sender reads no file of ours. */
  readonly keepsRejects?: boolean;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** How long to wait for another import of the account; without end where it is not given. */
  readonly patienceMs?: number;
  /** Called in the transaction once the ballots' events are in; what it finds goes into the report. */
  readonly afterEvents?: (tx: Tx, importId: ImportId, rowsRead: number) => Promise<AfterEvents>;
}

export interface AfterEvents {
  readonly state: 'done' | 'held';
  readonly reasons: readonly { readonly code: string; readonly detail: string }[];
}

export interface ImportOutcome {
  /** Null for a dry run. */
  readonly importId: ImportId | null;
  readonly state: ImportState;
  readonly report: ImportReport;
}
