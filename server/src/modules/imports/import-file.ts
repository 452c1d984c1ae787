import { basename, join } from 'node:path';
import { type Clock, localDay } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/postgres.ts';
import { type Account, type Election, listElections } from '../accounts/index.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { stids } from '../mail-pieces/index.ts';
import { fingerprintReading } from './formats/find-format.ts';
import type { Format } from './formats/format.ts';
import { digestSource, FileRefused, type SourceFile } from './read/source-file.ts';
import { HeldFiles } from './run/held-files.ts';
import { type ImportProgress, ImportRun } from './run/import-run.ts';
import {
  beginImport,
  type Connection,
  closeImport,
  findHeldImport,
  findLastImport,
  giveUpHeld,
  type HeldImport,
  type ImportId,
  type ImportState,
  listHeld,
  recordImport,
} from './run/import-store.ts';
import { explainInterruption } from './run/interruption.ts';
import type { ImportReport } from './run/report.ts';
import { FileHeld } from './run/shrink.ts';

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
  /** The held file that this is, which somebody else has looked at. */
  readonly released?: HeldImport;
  /** Where the rejects file goes, and into `held/` a file that is held; made when it is needed. */
  readonly rejectsDirectory: string;
  /** False: refused rows are counted by reason and not listed, because whoever sent them reads no file of ours. */
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

/** Ends the transaction of a dry run, its outcome in hand. */
class DryRunEnd extends Error {
  readonly outcome: ImportOutcome;

  constructor(outcome: ImportOutcome) {
    super('dry run');
    this.outcome = outcome;
  }
}

/**
 * Takes an office's file in: wholly, but for rows refused one by one, or not at all. Each row is read by the format
 * into a staging table and applied from there set-wise; all of it becomes visible with the one commit at the end, so
 * that a process or database that dies before leaves nothing of the file.
 * @throws {OtherImportRunning} after `patienceMs`
 * @throws {ImportInterrupted} when the database stops, or a disk is full
 */
export async function importFile(
  database: Database,
  clock: Clock,
  request: ImportRequest,
): Promise<ImportOutcome> {
  const { account, format, election = null } = request;
  const startedAt = clock.now();
  const started = performance.now();
  const elections = await listElections(database.system, account.accountId);
  const createRun = () =>
    new ImportRun({
      ...request,
      isReleased: request.released !== undefined,
      election,
      elections,
      today: localDay(startedAt, account.timeZone),
      startedAt,
    });
  let run = createRun();
  const heldFiles = new HeldFiles(join(request.rejectsDirectory, 'held'));
  let isCommitting = false;
  const reading = fingerprintReading(format, {
    election,
    isFull: request.isFull === true,
    elections: elections.map(toKey),
    ...(format.holds === 'mailpieces' && { mail: account.settings.mail, stids: [...stids] }),
  });
  const complete = (report: ImportReport): ImportReport => ({
    ...report,
    reading,
    bytes: run.isRepeat ? (request.file.size ?? 0) : report.bytes,
    seconds: (performance.now() - started) / 1000,
  });

  try {
    const outcome = await takeInOnce(true)
      .catch((error: unknown) => {
        if (!run.hasFoundRepeat(error)) throw error;
        run = createRun();
        return takeInOnce(false);
      })
      .catch(leaveOut);
    if (outcome.importId !== null)
      await heldFiles.forgetOthers(await listHeld(database.system, account.accountId));
    return outcome;
  } catch (error) {
    if (error instanceof DryRunEnd) return error.outcome;
    if (error instanceof FileRefused) throw error;
    if (!isCommitting) run.discard();
    throw explainInterruption(error, basename(request.file.name), isCommitting) ?? error;
  }

  /** A refused or held file leaves its report in the database, and nothing else. */
  async function leaveOut(error: unknown): Promise<ImportOutcome> {
    const isHeld = error instanceof FileHeld;
    if (!isHeld && (!(error instanceof FileRefused) || request.released)) throw error;
    const state = isHeld ? 'held' : 'refused';
    const { before } = run.report();
    const report = complete({
      ...run.report(),
      ...(isHeld
        ? {
            after: before,
            gate: [{ code: 'file-shrank', detail: error.message }],
            heldFile: { format, election, isFull: request.isFull === true },
          }
        : { refusedBecause: error.message }),
    });
    if (request.isDryRun === true) return { importId: null, state, report };
    if (isHeld) await heldFiles.keep(request.file, run.sha256);
    return database.transaction(async (tx, connection) => {
      const importId = await recordImport(connection, importRecord());
      if (isHeld) await giveUpOlder(connection, importId);
      return close(tx, connection, { importId, state, report });
    });
  }

  function takeInOnce(maySkipStaging: boolean): Promise<ImportOutcome> {
    return database.transaction((tx, connection) => takeIn(tx, connection, maySkipStaging));
  }

  async function takeIn(tx: Tx, connection: Connection, maySkipStaging: boolean) {
    await beginImport(connection, account.accountId, request.patienceMs);
    const { released } = request;
    const importId = released?.importId ?? (await recordImport(connection, importRecord()));
    if (released && (await findHeldImport(tx, importId)) === null)
      throw new FileRefused(`Import ${importId} is no longer held.`);
    if (!released && (await isRepeat(connection))) {
      run.isRepeat = true;
    } else {
      await run.stage(connection, importId, maySkipStaging);
      if (released && !released.sha256.equals(run.sha256))
        throw new FileRefused('This is not the file that was held. Import the right one again.');
      await run.apply(connection, importId);
    }
    await giveUpOlder(connection, importId);
    const after =
      run.isRepeat || format.holds === 'voters'
        ? undefined
        : await request.afterEvents?.(tx, importId, run.report().rows.read);
    const state = after?.state ?? 'done';
    const report = complete({
      ...run.report(),
      ...(after && { gate: after.reasons }),
      ...(released && { releasedBy: request.operator }),
    });
    if (request.isDryRun === true) throw new DryRunEnd({ importId: null, state, report });
    const outcome = await close(tx, connection, { importId, state, report });
    isCommitting = true;
    return outcome;
  }

  function giveUpOlder(connection: Connection, importId: ImportId): Promise<void> {
    const because = `It was held, and then a newer file came: import ${importId}.`;
    return giveUpHeld(connection, account.accountId, {
      holds: format.holds,
      except: importId,
      because,
    });
  }

  /** Whether the file is the very one that was taken in last, wholly, and would be read the same way. */
  async function isRepeat(connection: Connection): Promise<boolean> {
    const last = await findLastImport(connection, account.accountId, format.holds);
    if (!last || last.report.reading !== reading || last.report.rows.refused > 0) return false;
    if (request.file.size !== undefined && request.file.size !== last.report.bytes) return false;
    run.sha256 = await digestSource(request.file);
    return last.fileSha256.equals(run.sha256);
  }

  async function close(
    tx: Tx,
    connection: Connection,
    outcome: ImportOutcome & { importId: ImportId },
  ): Promise<ImportOutcome> {
    const { importId, state, report } = outcome;
    const finishedAt = clock.now();
    await closeImport(connection, importId, { state, fileSha256: run.sha256, finishedAt, report });
    await recordAudit(tx, account.accountId, {
      actor: request.operator,
      action: request.released
        ? 'import.release'
        : state === 'refused'
          ? 'file.refuse'
          : 'file.import',
      target: String(importId),
      details: { format: format.name, state, ...report.rows },
    });
    return outcome;
  }

  function importRecord() {
    return {
      accountId: account.accountId,
      format: format.name,
      fileName: basename(request.file.name),
      operator: request.operator,
      startedAt,
    };
  }
}

/** What of an election decides how a file is read. */
function toKey({ electionId, number, electionDate }: Election): unknown[] {
  return [electionId, number, electionDate];
}
