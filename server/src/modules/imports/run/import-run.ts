import { basename } from 'node:path';
import type { Format } from '../formats/format.ts';
import { adoptBallots } from '../kinds/ballots/adopt-store.ts';
import { stageLeavers } from '../kinds/ballots/leavers-store.ts';
import { applyBallots, gatherRecords } from '../kinds/ballots/merge-store.ts';
import { createCountyFilter, createFileRows, type RowsTask } from '../kinds/file-rows.ts';
import { applyMailPieces } from '../kinds/mail-pieces/merge-store.ts';
import { applyScans, hasNoScans } from '../kinds/scans/merge-store.ts';
import {
  type Applied,
  applyVoters,
  countLoaded,
  deactivateMissing,
  hasNoVoters,
} from '../kinds/voters/merge-store.ts';
import { createRowHash, findNews, type LineSet } from '../kinds/voters/news-store.ts';
import { rowHashColumn, type StagedColumn, tokenColumn } from '../kinds/voters/rows.ts';
import { type Cells, type ReadRow, RowReader } from '../read/row-reader.ts';
import { FileRefused, readSource, type SourceFile } from '../read/source-file.ts';
import { StagingRows, StagingWriter } from './copy-rows.ts';
import {
  type Connection,
  finishStaging,
  type ImportId,
  listSizes,
  openHome,
  openStaging,
} from './import-store.ts';
import { listRefused } from './list-refused.ts';
import { countRefusedRows, RefusalCounts, RejectsFile } from './rejects.ts';
import type { ImportReport } from './report.ts';
import { explainLeaving, explainLoss, explainShrinking, FileHeld } from './shrink.ts';

export interface ImportProgress {
  readonly step: 'comparing' | 'reading' | 'writing' | 'listing refused rows';
  /** Of the file, read so far. */
  readonly bytes: number;
}

interface ImportTask extends RowsTask {
  readonly file: SourceFile;
  readonly startedAt: Date;
  readonly isFull?: boolean;
  readonly isDryRun?: boolean;
  /** Somebody else has looked at it: it may be as short as it is. */
  readonly isReleased: boolean;
  readonly rejectsDirectory: string;
  readonly keepsRejects?: boolean;
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** Counts by a text, in the order in which they were first met. */
class Tally {
  readonly #counts = new Map<string, number>();
  add(name: string, count = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }
  list<Key extends string>(key: Key): ({ count: number } & Record<Key, string>)[] {
    return [...this.#counts].map(
      ([name, count]) => ({ [key]: name, count }) as { count: number } & Record<Key, string>,
    );
  }
}

/** One file on its way in: what was read, refused and found. */
export class ImportRun {
  readonly #task: ImportTask;
  readonly #refusals = new RefusalCounts();
  readonly #warnings = new Tally();
  readonly #unknownStatuses = new Tally();
  #unknownColumns: readonly string[] = [];
  #idLabel = '';
  #columns: readonly StagedColumn[] = [];
  #read = 0;
  #staged = 0;
  #skipped = 0;
  /** Rows that say what they said the last time. */
  #known = 0;
  #redecoded = 0;
  #bytes = 0;
  #applied: Applied | undefined;
  #rejectsFile: RejectsFile | null = null;
  #isAtHome = false;

  /** Of the file's bytes; empty until they are all read. */
  sha256: Buffer = Buffer.alloc(0);
  /** Set when the file turns out to be the very one that was taken in last. */
  isRepeat = false;

  constructor(task: ImportTask) {
    this.#task = task;
  }

  /**
   * Reads the file into the staging table. Of voters only the rows that say something new; where the account has no
   * voters yet, or no scans, straight into the table in which they are kept, which spares half the work.
   * @param maySkipStaging false after {@link hasFoundRepeat}
   * @throws {FileRefused}
   */
  async stage(connection: Connection, importId: ImportId, maySkipStaging: boolean): Promise<void> {
    const { account, format, onProgress } = this.#task;
    const isFirst =
      maySkipStaging && (await isFirstOf(connection, account.accountId, format.holds));
    if (isFirst) await this.#stageRows(connection, { home: [account.accountId, importId] });
    else if (format.holds === 'voters') await this.#stageNews(connection);
    else await this.#stageRows(connection, {});
    onProgress?.({ step: 'writing', bytes: this.#bytes });
    const joined = format.holds === 'voters' ? ['registration_id'] : [];
    if (!this.#isAtHome) await finishStaging(connection, joined);
  }

  async #stageNews(connection: Connection): Promise<void> {
    const { account, file, format, today, onProgress } = this.#task;
    const { lines, sha256, redecoded, isLineByLine } = await findNews(connection, {
      accountId: account.accountId,
      file,
      format,
      onHeader: (match) => {
        const reader = new RowReader(format, match);
        const readId = reader.field('registration_id');
        const isOther = createCountyFilter(this.#task, reader);
        // A token's voter could be found out by trying tokens against a quick hash.
        const hasTokens = reader.has(tokenColumn);
        const hashRow = createRowHash(format, match, today);
        return (cells) => {
          if (isOther(cells)) return 'skip';
          return [readId(cells), hasTokens ? null : hashRow(cells)];
        };
      },
      onRow: (isSkipped) => {
        this.#read += 1;
        if (isSkipped) this.#skipped += 1;
      },
      onBroken: (line, reason) => {
        this.#read += 1;
        this.#refusals.add(reason, line);
      },
      onProgress: (bytes) => onProgress?.({ step: 'comparing', bytes }),
    });
    this.#known = this.#read - this.#skipped - this.#refusals.total - lines.size;
    await this.#stageRows(connection, { only: lines, isLineByLine });
    if (!this.sha256.equals(sha256)) throw new FileRefused(changedMeanwhile);
    this.#redecoded = redecoded;
  }

  /**
   * @param where `only`: of the file these lines, the others being counted, and passed over unread if it `isLineByLine`;
   * `home`: not into the staging table but into that in which they are kept, each with these values before it
   */
  async #stageRows(
    connection: Connection,
    {
      only,
      isLineByLine = false,
      home,
    }: {
      readonly only?: LineSet;
      readonly isLineByLine?: boolean;
      readonly home?: readonly [number, ImportId];
    },
  ): Promise<void> {
    const { file, format, today, onProgress } = this.#task;
    const staged = new StagingRows();
    const open = async () =>
      new StagingWriter(
        this.#isAtHome && (format.holds === 'voters' || format.holds === 'scans')
          ? openHome(connection, format.holds, this.#columns)
          : await openStaging(connection, this.#columns),
      );
    let staging: StagingWriter | undefined;
    let readRow: ReadRow = () => 'skip';
    let hashRow: ((cells: Cells) => string) | undefined;
    const { sha256, redecoded } = await readSource(file, format, {
      onHeader: (match) => {
        this.#unknownColumns = match.unknown;
        const rows = createFileRows(this.#task, match, {
          onWarning: (message) => this.#warnings.add(message),
          onUnknownStatus: (raw) => this.#unknownStatuses.add(raw),
        });
        readRow = rows.readRow;
        this.#idLabel = rows.idLabel;
        this.#columns = rows.columns;
        const hasTokens = this.#columns.some(({ name }) => name === tokenColumn);
        this.#isAtHome = home !== undefined && !hasTokens;
        if (this.#isAtHome) staged.constants = home ?? null;
        if (format.holds !== 'voters' || hasTokens) return;
        hashRow = createRowHash(format, match, today);
        this.#columns = [...this.#columns, rowHashColumn];
      },
      wants: (line) => !isLineByLine || only?.has(line) !== false,
      onRecord: (cells, line) => {
        if (only?.has(line) === false) return;
        if (!only) this.#read += 1;
        const row = readRow(cells);
        if (row === 'skip') {
          this.#skipped += 1;
        } else if (Array.isArray(row)) {
          this.#staged += 1;
          if (hashRow) row.push(hashRow(cells));
          staged.add(line, row);
        } else {
          this.#refusals.add(row.problem, line);
        }
      },
      onBroken: (line, reason) => {
        if (only) return;
        this.#read += 1;
        this.#refusals.add(reason, line);
      },
      onPiece: async (bytes) => {
        this.#bytes = bytes;
        onProgress?.({ step: 'reading', bytes });
        if (staged.isEmpty) return;
        staging ??= await open();
        await staging.write(staged.take());
      },
    }).catch((error: Error) => {
      staging?.abandon(error);
      throw error;
    });
    this.sha256 = sha256;
    this.#redecoded = redecoded;
    if (this.#read === 0) {
      throw new FileRefused('The file holds no rows, only a header: there is nothing to take in.');
    }
    staging ??= await open();
    await staging.finish();
  }

  /** Whether a row was refused because an earlier one is of the same voter or scan: only the staging table can say which. */
  hasFoundRepeat(error: unknown): boolean {
    const uniqueViolation = '23505';
    return this.#isAtHome && (error as { code?: unknown }).code === uniqueViolation;
  }

  /**
   * Applies the staged rows.
   * @throws {FileRefused} when more rows are refused than the account allows
   * @throws {FileHeld} when the file has shrunk by more than the account allows
   */
  async apply(connection: Connection, importId: ImportId): Promise<void> {
    const { account, format } = this.#task;
    const { accountId } = account;
    const tooManyLeft =
      format.missing_rows === 'succeeded' && (await this.#stageLeavers(connection));
    const task = {
      accountId,
      importId,
      idLabel: this.#idLabel,
      staged: this.#staged,
      timeZone: account.timeZone,
      today: this.#task.today,
    };
    const columns = this.#columns.slice(1);
    if (format.holds === 'ballots') await gatherRecords(connection);
    if (format.filled_later.length > 0) {
      const corrected = await adoptBallots(connection, accountId, format);
      if (corrected > 0)
        this.#warnings.add('a date of the ballot was corrected: it is the same ballot', corrected);
    }
    if (format.holds === 'ballots') this.#applied = await applyBallots(connection, task);
    else if (format.holds === 'mailpieces')
      this.#applied = await applyMailPieces(connection, {
        ...task,
        arePrinted: format.row_means === 'printed',
      });
    else if (format.holds === 'scans')
      this.#applied = await applyScans(connection, { ...task, areKept: this.#isAtHome });
    else if (this.#isAtHome) this.#applied = await countLoaded(connection, task);
    else
      this.#applied = await applyVoters(connection, {
        ...task,
        columns,
        known: this.#known,
        isFull: this.#task.isFull === true,
      });
    const held =
      format.holds === 'voters'
        ? await this.#shutOutMissing(connection, importId)
        : tooManyLeft || (await this.#findShrinking(connection, importId));
    const { refused, refusedRows, warnings = [] } = this.#applied;
    for (const { message, count } of warnings) this.#warnings.add(message, count);
    if (refused > 0) await countRefusedRows(connection, refusedRows, this.#refusals);
    if (this.#refusals.total > 0) await this.#judgeRefused(connection);
    if (held !== null && !this.#task.isReleased) throw new FileHeld(held);
  }

  /** @throws {FileRefused} */
  async #judgeRefused(connection: Connection): Promise<void> {
    const { account, format } = this.#task;
    const { refused = 0, refusedRows = '' } = this.#applied ?? {};
    if (this.#task.keepsRejects !== false)
      await this.#listRefused(connection, refused > 0 ? refusedRows : null);
    // One bad event never costs the others.
    if (format.holds === 'scans') return;
    const limit = account.settings.import_limits.refused_percent;
    if (this.#refusals.total > (this.#read * limit) / 100) {
      const [all, read] = [this.#refusals.total, this.#read].map((one) =>
        one.toLocaleString('en-US'),
      );
      throw new FileRefused(
        `${all} of ${read} rows are refused, more than the account's limit of ${limit} %, so the whole file is.`,
      );
    }
  }

  /**
   * With a whole roll, voters whom it lacks become inactive.
   * @returns why that is too many
   */
  async #shutOutMissing(connection: Connection, importId: ImportId): Promise<string | null> {
    const { isFull, account } = this.#task;
    const applied = this.#applied;
    if (!isFull || !applied?.before.active) return null;
    const facts = {
      rows: this.#read - this.#skipped,
      active: applied.before.active,
      limits: account.settings.import_limits,
    };
    const refused = this.#refusals.total + applied.refused;
    if (refused > 0) {
      this.#warnings.add(
        'refused rows may be of any voter, so nobody was made inactive for being missing',
        refused,
      );
      return explainLoss({ ...facts, missing: 0 });
    }
    const made = await deactivateMissing(connection, account.accountId, importId);
    const { active = 0, inactive = 0 } = applied.after;
    this.#applied = { ...applied, after: { active: active - made, inactive: inactive + made } };
    if (made > 0) this.#warnings.add('not in the file, and made inactive', made);
    return explainLoss({ ...facts, missing: made });
  }

  /**
   * Ballots that have left a list of open cases are staged as accepted.
   * @returns why that is too many
   */
  async #stageLeavers(connection: Connection): Promise<string | null> {
    const { account, format } = this.#task;
    const refused = this.#refusals.total;
    if (refused > 0) {
      this.#warnings.add('refused rows may be of any ballot, so none has left the list', refused);
      return null;
    }
    const of = { accountId: account.accountId, format: format.name };
    const { listed, left } = await stageLeavers(connection, of);
    this.#staged += left;
    if (left > 0) this.#warnings.add('no longer on the list, and so accepted', left);
    const shrinkPercent = account.settings.import_limits.shrink_percent;
    return explainLeaving({ listed, left, shrinkPercent });
  }

  /** @returns why the file of ballots is too short to be believed */
  async #findShrinking(connection: Connection, importId: ImportId): Promise<string | null> {
    const { account, format } = this.#task;
    if (format.holds !== 'ballots') return null;
    const of = { format: format.name, before: importId };
    return explainShrinking({
      rows: this.#read,
      unchanged: this.#applied?.unchanged ?? 0,
      isOfOpenCases: format.missing_rows === 'succeeded',
      before: await listSizes(connection, account.accountId, of),
      shrinkPercent: account.settings.import_limits.shrink_percent,
    });
  }

  report(): ImportReport {
    const { format, isDryRun = false } = this.#task;
    const applied = this.#applied;
    return {
      format: format.name,
      holds: format.holds,
      reading: '',
      isRepeat: this.isRepeat,
      rows: {
        read: this.#read,
        added: applied?.added ?? 0,
        changed: applied?.changed ?? 0,
        unchanged: applied?.unchanged ?? 0,
        refused: this.#refusals.total,
        passedOver: this.#skipped + (applied?.superseded ?? 0),
      },
      before: applied?.before ?? {},
      after: applied?.after ?? {},
      refusals: this.#refusals.list().slice(0, 1000),
      warnings: this.#warnings.list('message'),
      unknownStatuses: this.#unknownStatuses.list('value'),
      unknownColumns: this.#unknownColumns,
      redecodedLines: this.#redecoded,
      events: applied?.events ?? 0,
      rejectsFile: this.#rejectsFile?.path ?? null,
      refusedBecause: null,
      isDryRun,
      bytes: this.#bytes,
      seconds: 0,
    };
  }

  /** Takes away what was written beside the database. */
  discard(): void {
    this.#rejectsFile?.discard();
  }

  /** @throws {FileRefused} when the file is no longer the one that was read */
  async #listRefused(connection: Connection, refused: string | null): Promise<void> {
    const { file, format, rejectsDirectory, startedAt, onProgress } = this.#task;
    this.#rejectsFile = new RejectsFile(rejectsDirectory, basename(file.name), startedAt);
    // What a second reading notices was counted by the first.
    const told = { onWarning: () => {}, onUnknownStatus: () => {} };
    const sha256 = await listRefused(connection, {
      file,
      format,
      createReadRow: (match) => createFileRows(this.#task, match, told).readRow,
      refused,
      rejectsFile: this.#rejectsFile,
      onProgress: (bytes) => onProgress?.({ step: 'listing refused rows', bytes }),
    });
    if (!this.sha256.equals(sha256)) throw new FileRefused(changedMeanwhile);
  }
}

const changedMeanwhile = 'The file was changed while it was read. Import it again.';

/** Whether the account has none of what the file holds, and nothing else has to be known of the rows before they are kept. */
async function isFirstOf(
  connection: Connection,
  accountId: number,
  holds: Format['holds'],
): Promise<boolean> {
  if (holds === 'voters') return hasNoVoters(connection, accountId);
  return holds === 'scans' && hasNoScans(connection, accountId);
}
