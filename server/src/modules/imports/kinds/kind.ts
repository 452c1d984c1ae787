import type { ImportId } from '../../../platform/ids.ts';
import type { Tx } from '../../../platform/postgres.ts';
import type { TempTable } from '../../../platform/temp-tables.ts';
import type { Account, Election, MailSettings } from '../../accounts/index.ts';
import type { TokenKeys } from '../../voters/index.ts';
import type { Format } from '../formats/format.ts';
import type { Day } from '../read/dates.ts';
import type { ReadRow, RowReader } from '../read/row-reader.ts';
import type { SourceFile } from '../read/source-file.ts';
import type { Findings } from '../run/findings.ts';

export interface ElectionIndex {
  /** By the office's number; by day where files name no number. */
  find(key: string): number | undefined;
}

/** What decides how one file's rows are read. */
export interface Reading {
  readonly reader: RowReader;
  readonly today: Day;
  readonly elections: {
    readonly byNumber: ElectionIndex;
    readonly byDay: ElectionIndex;
    /** Numbers of the account's elections. */
    readonly known: readonly string[];
  };
  /** Number of the election that every row is of; null where the rows name it. */
  readonly election: string | null;
  readonly mail: MailSettings;
  /** Counts what was left out of rows that are accepted all the same. */
  warn(message: string): void;
  /** Called for each row with a status that no rule knows. */
  noteUnknownStatus(raw: string): void;
}

/** How one file's rows become rows of the kind's staging table. */
export interface FileReader {
  /** Of the staging table after `line`, in the order of a row's values. */
  readonly columns: readonly string[];
  readonly readRow: ReadRow;
}

/** One file to be imported, and what is found on the way. */
export interface KindTask {
  readonly account: Account;
  readonly importId: ImportId;
  readonly file: SourceFile;
  readonly format: Format;
  readonly election: string | null;
  readonly elections: readonly Election[];
  /** In the account's calendar. */
  readonly today: Day;
  /** The file is the whole roll. */
  readonly isFull: boolean;
  /** Whether the first file of its kind may go straight into the table where its rows stay. */
  readonly mayLoadDirectly: boolean;
  readonly findings: Findings;
  /** Undefined: the file may have no security tokens. */
  readonly tokenKeys?: TokenKeys | undefined;
  onProgress?(progress: ImportProgress): void;
}

export interface ImportProgress {
  readonly step: 'comparing' | 'reading' | 'writing' | 'listing refused rows';
  /** Of the file, read so far. */
  readonly bytes: number;
}

/** What {@link Kind.stage} leaves for {@link Kind.merge}. */
export interface Staged {
  /** The staging table's columns that the file has. */
  readonly columns: readonly string[];
  /** Rows in the staging table. */
  readonly rows: number;
  /** What the office calls the registration ID. */
  readonly idLabel: string;
  /** The rows are where they stay already, and not in the staging table. */
  readonly isLoaded: boolean;
}

/** Rows by what they are of, as `216 accepted`. */
export type Counts = Readonly<Record<string, number>>;

/** What the staged rows of a file did. */
export interface Applied<Size = unknown> {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Rows refused because of what other rows or tables contain. */
  readonly refused: number;
  /** Older rows of a ballot that the file has several of. */
  readonly superseded: number;
  readonly events: number;
  /**
   * What the file changes by lacking it: ballots that a list of open cases no longer has, and that only a later file makes accepted;
   * active voters whom a whole roll lacks.
   */
  readonly left?: number;
  readonly before: Counts;
  readonly after: Counts;
  /** The temporary table with `line` and `problem` of the refused rows; null for none. */
  readonly refusedRows: TempTable | null;
  /** By which {@link Kind.judge} decides. */
  readonly size: Size;
}

/** Why a file waits for approval. */
export interface GateReason {
  readonly code: string;
  /** For the clerk: what was found, in numbers, and what would be usual. */
  readonly detail: string;
  /** How many of the file's rows, or of the missing ballots, it is about. */
  readonly rows?: number;
  /** The first five of them. */
  readonly examples?: readonly ExampleRow[];
}

export interface ExampleRow {
  /** Registration ID; of a file of scans, the barcode. */
  readonly voter: string;
  readonly from: string;
  readonly to: string;
  /** Of the file; null for what the file does not have. */
  readonly line: number | null;
}

/** What of a loaded file the later files of its format are compared with. */
export interface Learned {
  /** Ballots that became each status, of elections that had ballots before; `new STATUS` for those listed for the first time. */
  readonly news: Counts;
  /** Of the ballots known before, how many the file lists; null where it lists open cases or changes alone. */
  readonly listed: {
    readonly known: number;
    readonly found: number;
    readonly accepted: number;
  } | null;
  /**
   * Of a list of open cases, how many there were, how many of them it no longer has, which of them are not accepted yet, and the
   * most days that an envelope had been back when it first became a case. Earlier versions did not keep it, or not all of it.
   */
  readonly leaving?: {
    readonly listed: number;
    readonly left: number;
    readonly gone?: readonly GoneBallot[];
    readonly waited?: number | null;
  } | null;
  /** Numbers of the elections whose ballots it lists. */
  readonly elections: readonly string[];
  /** The newest day in its rows. */
  readonly newestDay: Day | null;
  /** Of a list of ballots: what became of those of elections that had ballots before. Earlier versions did not keep it. */
  readonly changes?: readonly LearnedChange[];
  /** Of a roll: how many voters it changed, by what the gate asks of it. Earlier versions did not keep it. */
  readonly roll?: Counts;
  /** Of a mail house's file: what it changed of envelopes, by what the gate asks of it. Earlier versions did not keep it. */
  readonly pieces?: Counts;
  /**
   * How many rows have a day of request, printing, mailing and return, a word for the status, a reason and its code. Earlier versions did not
   * keep it, or the days alone.
   */
  readonly days?: Counts;
}

/** Ballots of one election that went from one status to another. */
export interface LearnedChange {
  /** Its number. */
  readonly election: string;
  /** Null: never listed before. */
  readonly from: string | null;
  readonly to: string;
  readonly count: number;
}

/** As an earlier file of any format changed them, which no second person had to approve. */
export interface RecentChange extends LearnedChange {
  /** On which it was imported, in the account's calendar. */
  readonly day: Day;
  /** That its file is of: as it says, or else the newest in its rows. */
  readonly fileDay: Day | null;
}

/** A ballot that is no longer on a list of open cases, and counts as accepted once a file of a later day misses it too. */
export interface GoneBallot {
  /** Its ID. */
  readonly ballot: number;
  /** The ID of its election. */
  readonly election: number;
  /** The day of the first file that missed it. */
  readonly since: Day;
}

/** An earlier file of the same format that was loaded. */
export interface EarlierFile {
  readonly importId: ImportId;
  readonly sha256: Buffer;
  /** Without those passed over. */
  readonly rows: number;
  /** A second person approved it as it is. */
  readonly isReleased: boolean;
  /** Rows with a status that no rule knows. */
  readonly unknownStatuses: number;
  /** The day that it is of: by a date that its exporter wrote into it, or else into its name. */
  readonly fileDay: Day | null;
  /** It ended in the middle of a line; null where an earlier version did not look. */
  readonly endsInLine: boolean | null;
  readonly learned: Learned | null;
}

export interface Judgment {
  /** None: the file is loaded without approval. */
  readonly reasons: readonly GateReason[];
  readonly learned?: Learned;
}

export interface ImportLimits {
  readonly shrink_percent: number;
  readonly inactive_percent: number;
}

/** What files contain: voters, ballots, mail pieces or scans. {@link ../import-file.ts} takes each file of any kind the same way. */
export interface Kind<Size = unknown> {
  /** Its rows change ballots, of which voters may be notified. */
  readonly changesBallots: boolean;
  /** {@link judge} looks at every status that the file changes, so their messages are not weighed again. */
  readonly judgesStatuses: boolean;
  /**
   * Each row stands for itself, and files come in any order: however many rows are refused, the others are kept, no file is old or cut off,
   * and none takes the place of another that waits.
   */
  readonly rowsStandAlone: boolean;
  createReader(reading: Reading): FileReader;
  /** What of the account's settings and of the keys decides how a file is read, beyond its elections. */
  listReadingOptions?(reading: Pick<KindTask, 'account' | 'tokenKeys'>): object;
  /** Reads the file into the staging table. @throws {FileRefused} */
  stage(tx: Tx, task: KindTask): Promise<Staged>;
  /** Merges the staged rows set-wise into the tables where they stay. */
  merge(tx: Tx, task: KindTask, staged: Staged): Promise<Applied<Size>>;
  /**
   * Judges what the merge did before anybody can see it. Called in the import's transaction.
   * @param earlier the format's last files, newest first
   */
  judge(
    tx: Tx,
    task: KindTask,
    applied: Applied<Size>,
    earlier: readonly EarlierFile[],
  ): Promise<Judgment>;
  /** The first rows that the merge changed, for a reason that is about the file as a whole. Called where there is such a reason. */
  readChanges?(tx: Tx, task: KindTask, applied: Applied<Size>): Promise<ExampleRow[]>;
}
