import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { basename } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/postgres.ts';
import type { Account } from '../accounts/index.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { applyBallots } from './apply-ballots.ts';
import { type Applied, applyVoters } from './apply-voters.ts';
import { judgeStatuses } from './dictionaries.ts';
import { type Format, matchHeader } from './format.ts';
import { fingerprintReading } from './formats.ts';
import { type LineOffset, type RecordProblem, RecordReader } from './records.ts';
import { countRefusals, RejectsFile } from './rejects.ts';
import type { ImportReport } from './report.ts';
import type { StagedFile } from './staged-sql.ts';
import {
  beginImport,
  type Connection,
  closeImport,
  findLastImport,
  finishStaging,
  type ImportId,
  type ImportState,
  openStaging,
  recordImport,
} from './store.ts';

export interface ImportRequest {
  readonly account: Account;
  readonly format: Format;
  /** The file's bytes and the name it goes by in reports. */
  readonly file: { readonly name: string; open(): Readable };
  /** The election's number, for formats whose files do not say. */
  readonly election?: string | undefined;
  readonly isDryRun?: boolean;
  readonly operator: Actor;
  /** Where the rejects file goes; made when it is needed. */
  readonly rejectsDirectory: string;
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Called in the transaction once the ballots' events are in; what it finds goes into the report. */
  readonly afterEvents?: (tx: Tx, importId: ImportId) => Promise<AfterEvents>;
}

export interface AfterEvents {
  readonly state: 'done' | 'held';
  readonly reasons: readonly { readonly code: string; readonly detail: string }[];
}

export interface ImportProgress {
  readonly step: 'reading' | 'checking and writing';
  readonly bytes: number;
}

export interface ImportOutcome {
  readonly importId: ImportId | null;
  readonly state: ImportState;
  readonly report: ImportReport;
}

/** The whole file is refused, in words for the clerk. Rolls everything back. */
class FileRefused extends Error {
  override readonly name = 'FileRefused';
}
/** Ends the transaction of a dry run, its report in hand. */
class DryRunEnd extends Error {
  readonly outcome: ImportOutcome;
  constructor(outcome: ImportOutcome) {
    super('dry run');
    this.outcome = outcome;
  }
}

/**
 * Takes an office's file in: wholly, but for rows refused one by one, or not at all. The file streams into a staging
 * table, is judged and applied there set-wise, and becomes visible with the one commit at the end; a process or
 * database that dies before leaves nothing of it.
 */
export async function importFile(
  database: Database,
  clock: Clock,
  request: ImportRequest,
): Promise<ImportOutcome> {
  const { account, format, operator } = request;
  const startedAt = clock.now();
  const started = performance.now();
  const run = new ImportRun(request, startedAt);
  const finish = () => ({ seconds: (performance.now() - started) / 1000 });

  try {
    return await database.transaction(async (tx, connection) => {
      await beginImport(connection, account.accountId);
      const { staged, sha256 } = await run.stage(connection);
      const last = await findLastImport(connection, account.accountId, format.name);
      const isRepeat =
        last?.fileSha256.equals(sha256) === true &&
        last.report.reading === run.reading &&
        last.report.rows.refused === 0;
      const importId = await recordImport(connection, {
        accountId: account.accountId,
        format: format.name,
        fileName: basename(request.file.name),
        fileSha256: sha256,
        operator,
        startedAt,
      });
      const applied = isRepeat ? null : await run.apply(connection, importId, staged);
      const after =
        applied && format.holds === 'ballots'
          ? await request.afterEvents?.(tx, importId)
          : undefined;
      const state = after?.state ?? 'done';
      const report = {
        ...run.describe(applied, isRepeat),
        ...finish(),
        ...(after && { gate: after.reasons }),
      };
      const outcome = { importId, state, report };
      if (request.isDryRun === true) throw new DryRunEnd({ ...outcome, importId: null });
      await closeImport(connection, importId, state, clock.now(), report);
      await recordAudit(tx, account.accountId, {
        actor: operator,
        action: 'file.import',
        target: String(importId),
        details: { format: format.name, state, ...report.rows },
      });
      return outcome;
    });
  } catch (error) {
    if (error instanceof DryRunEnd) return error.outcome;
    if (!(error instanceof FileRefused)) throw error;
    const report = { ...run.describe(null, false), refusedBecause: error.message, ...finish() };
    return recordRefusal(database, clock, request, { startedAt, report, sha256: run.sha256 });
  }
}

/** A refused file leaves its report, and nothing else. */
async function recordRefusal(
  database: Database,
  clock: Clock,
  { account, format, file, operator, isDryRun }: ImportRequest,
  refusal: { startedAt: Date; report: ImportReport; sha256: Buffer },
): Promise<ImportOutcome> {
  const { startedAt, report, sha256 } = refusal;
  if (isDryRun === true) return { importId: null, state: 'refused', report };
  return database.transaction(async (tx, connection) => {
    const importId = await recordImport(connection, {
      accountId: account.accountId,
      format: format.name,
      fileName: basename(file.name),
      fileSha256: sha256,
      operator,
      startedAt,
    });
    await closeImport(connection, importId, 'refused', clock.now(), report);
    await recordAudit(tx, account.accountId, {
      actor: operator,
      action: 'file.refuse',
      target: String(importId),
      details: { format: format.name },
    });
    return { importId, state: 'refused', report };
  });
}

/** So many lines that are no records, and it is another kind of file. */
const mostBrokenLines = 100_000;

class ImportRun {
  readonly reading: string;
  sha256: Buffer = Buffer.alloc(0);
  readonly #request: ImportRequest;
  readonly #today: string;
  readonly #broken: RecordProblem[] = [];
  readonly #rejects: RejectsFile;
  #records: RecordReader;
  #header: readonly string[] = [];
  #unknownColumns: readonly string[] = [];
  #staged: StagedFile | undefined;
  #read = 0;
  #refused = 0;
  #refusals: ImportReport['refusals'] = [];
  #unknownStatuses: ImportReport['unknownStatuses'] = [];

  constructor(request: ImportRequest, now: Date) {
    this.#request = request;
    const { format, account, election } = request;
    this.reading = fingerprintReading(format, { election: election ?? null });
    this.#today = new Intl.DateTimeFormat('sv-SE', { timeZone: account.timeZone }).format(now);
    this.#rejects = new RejectsFile(request.rejectsDirectory, basename(request.file.name), now);
    this.#records = new RecordReader(
      { delimiter: format.delimiter, quote: format.quote, fallbackEncoding: format.encoding },
      (problem) => {
        this.#broken.push(problem);
        if (this.#broken.length > mostBrokenLines) {
          throw new FileRefused(
            `More than ${mostBrokenLines.toLocaleString('en-US')} lines are not records of this format: is it the right file, and the right --format?`,
          );
        }
      },
    );
  }

  /** Streams the file into the staging table. @returns its records and the digest of its bytes */
  async stage(connection: Connection): Promise<{ staged: number; sha256: Buffer }> {
    const digest = createHash('sha256');
    const records = this.#records;
    let copy: Writable | undefined;
    let copyFailed: Error | undefined;
    let bytes = 0;
    const write = async (parts: readonly Buffer[]) => {
      for (const part of parts) {
        if (copyFailed) throw copyFailed;
        if (copy?.write(part) === false) await Promise.race([once(copy, 'drain'), failed(copy)]);
      }
    };
    const start = async (chunk: Buffer, isLast: boolean): Promise<Buffer> => {
      if (copy) return chunk;
      const rest = this.#readHeader(chunk, isLast);
      if (rest === null) return Buffer.alloc(0);
      const fields = this.#header.length + this.#request.format.trailing_fields;
      records.fields = fields;
      copy = await openStaging(connection, fields, this.#request.format);
      copy.on('error', (error: Error) => {
        copyFailed = error;
      });
      return rest;
    };

    const input = this.#request.file.open();
    try {
      for await (const chunk of input as AsyncIterable<Buffer>) {
        digest.update(chunk);
        bytes += chunk.length;
        const rest = await start(chunk, false);
        if (copy) await write(records.push(rest));
        this.#request.onProgress?.({ step: 'reading', bytes });
      }
      this.sha256 = digest.digest();
      if (!copy) {
        const rest = await start(Buffer.alloc(0), true);
        await write(records.push(rest));
      }
      const { parts, cutOff } = records.end();
      if (cutOff) {
        throw new FileRefused(
          `The file ends in the middle of line ${cutOff.line}, which ${cutOff.reason}: it is probably not whole. Send it again.`,
        );
      }
      await write(parts);
    } catch (error) {
      input.destroy();
      copy?.destroy(error as Error);
      throw error;
    }
    this.#read = records.records + this.#broken.length;
    if (copy) await finished(copy);
    if (this.#read === 0) {
      throw new FileRefused('The file holds no rows, only a header: there is nothing to take in.');
    }
    this.#request.onProgress?.({ step: 'checking and writing', bytes });
    await finishStaging(connection, this.#offsets());
    return { staged: records.records, sha256: this.sha256 };
  }

  async apply(connection: Connection, importId: ImportId, staged: number): Promise<Applied> {
    const { account, format, election = null } = this.#request;
    const file = this.#staged;
    if (!file) throw new Error('A file is applied after it was staged.');
    const task = { file, accountId: account.accountId, importId, today: this.#today, staged };
    let applied: Applied;
    if (format.holds === 'voters') {
      applied = await applyVoters(connection, task);
    } else {
      const judged = await judgeStatuses(connection, file);
      if (!judged) {
        const columns = format.status?.columns.join(', ');
        throw new FileRefused(
          `${columns} holds far too many different values to be a status: is it the right --format?`,
        );
      }
      this.#unknownStatuses = judged.unknown;
      const { skippedRows } = judged;
      applied = await applyBallots(connection, {
        ...task,
        election,
        offsets: this.#offsets(),
        skippedRows,
      });
    }
    await this.#collectRefusals(connection, applied);
    return applied;
  }

  async #collectRefusals(connection: Connection, { refused, refusedRows }: Applied): Promise<void> {
    this.#refused = refused + this.#broken.length;
    if (this.#refused === 0) return;
    this.#refusals = await countRefusals(connection, refusedRows, this.#offsets(), this.#broken);
    await this.#rejects.write(connection, refusedRows, {
      offsets: this.#offsets(),
      broken: this.#broken,
      header: this.#header,
      secretColumns: this.#secretColumns(),
    });
    const limit = this.#request.account.settings.import_limits.refused_percent;
    if (this.#refused > (this.#read * limit) / 100) {
      throw new FileRefused(
        `${this.#refused.toLocaleString('en-US')} of ${this.#read.toLocaleString('en-US')} rows are refused, more than the account's limit of ${limit} %: the whole file is.`,
      );
    }
  }

  #secretColumns(): number[] {
    const source = this.#request.format.fields.security_token;
    const place = typeof source === 'string' ? this.#staged?.match.places.get(source) : undefined;
    return place === undefined ? [] : [place];
  }

  #offsets(): readonly LineOffset[] {
    return this.#records.lineOffsets;
  }

  /** @returns the bytes after the header, null when more are needed to have it all */
  #readHeader(chunk: Buffer, isLast: boolean): Buffer | null {
    const { format } = this.#request;
    if (!format.header) {
      this.#header = format.columns ?? [];
      this.#staged = { format, match: matchHeader(format, this.#header) };
      return chunk;
    }
    const taken = this.#records.takeHeader(chunk, isLast);
    if (taken === null) return null;
    const { values, rest } = taken;
    if (values.length <= 1 && (values[0] ?? '').trim() === '') {
      throw new FileRefused('The file is empty.');
    }
    const match = matchHeader(format, values);
    if (match.missing.length > 0 || match.repeated.length > 0) {
      const found = values
        .map((name) => name.trim().slice(0, 40))
        .slice(0, 80)
        .join(', ');
      const what =
        match.missing.length > 0
          ? `Its header lacks ${match.missing.join(', ')}`
          : `Its header has ${match.repeated.join(', ')} twice`;
      throw new FileRefused(
        `${what}: it is not a file of format ${format.name}. The header found is: ${found}`,
      );
    }
    this.#header = values;
    this.#unknownColumns = match.unknown;
    this.#staged = { format, match };
    return rest;
  }

  describe(applied: Applied | null, isRepeat: boolean): ImportReport {
    const { format, isDryRun = false } = this.#request;
    return {
      format: format.name,
      holds: format.holds,
      reading: this.reading,
      isRepeat,
      rows: {
        read: this.#read,
        added: applied?.added ?? 0,
        changed: applied?.changed ?? 0,
        unchanged: applied?.unchanged ?? 0,
        refused: this.#refused,
        passedOver: applied?.passedOver ?? 0,
      },
      before: applied?.before ?? {},
      after: applied?.after ?? {},
      refusals: this.#refusals,
      warnings: applied?.warnings ?? [],
      unknownStatuses: this.#unknownStatuses,
      unknownColumns: this.#unknownColumns,
      redecodedLines: this.#records.redecoded,
      events: applied?.events ?? 0,
      rejectsFile: this.#rejects.path,
      refusedBecause: null,
      isDryRun,
      seconds: 0,
    };
  }
}

async function finished(copy: Writable): Promise<void> {
  const done = Promise.race([once(copy, 'finish'), failed(copy)]);
  copy.end();
  await done;
}

function failed(stream: Writable): Promise<never> {
  return new Promise((_, reject) => stream.once('error', reject));
}
