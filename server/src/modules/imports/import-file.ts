import { basename, join } from 'node:path';
import { type Clock, localDay } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/postgres.ts';
import { listElections } from '../accounts/index.ts';
import { kinds } from './kinds/index.ts';
import type { KindTask } from './kinds/kind.ts';
import { FileRefused } from './read/source-file.ts';
import { closeImportRun, DryRunEnd } from './run/close.ts';
import { Findings } from './run/findings.ts';
import { FileHeld, HeldFiles } from './run/held.ts';
import {
  beginImport,
  discardHeld,
  findHeldImport,
  listHeld,
  recordImport,
} from './run/import-store.ts';
import { explainInterruption } from './run/interruption.ts';
import { listRefused, refuseIfMany } from './run/list-refused.ts';
import { countRefusedRows } from './run/refused-store.ts';
import { RejectsFile } from './run/rejects.ts';
import { fingerprintReading, isLastFile } from './run/repeat.ts';
import { type Attempt, buildReport, type ImportReport } from './run/report.ts';
import type { ImportOutcome, ImportRequest } from './run/request.ts';

/**
 * Imports an office's file: wholly, but for rows refused one by one, or not at all. Its kind reads each row by the format
 * into a staging table and merges them from there set-wise; all of it becomes visible with the one commit at the end, so
 * that a process or database that dies before leaves nothing of the file.
 * @throws {OtherImportRunning} after `patienceMs`
 * @throws {ImportInterrupted} when the database stops, or a disk is full
 */
export async function importFile(
  database: Database,
  clock: Clock,
  request: ImportRequest,
): Promise<ImportOutcome> {
  const { account, format, file, operator, released, election = null, isFull = false } = request;
  const { accountId, settings } = account;
  const kind = kinds[format.holds];
  const startedAt = clock.now();
  const started = performance.now();
  const elections = await listElections(database.system, accountId);
  const reading = fingerprintReading(request, elections, kind.listReadingOptions?.(account));
  const record = {
    accountId,
    format: format.name,
    fileName: basename(file.name),
    operator,
    startedAt,
  };
  const heldFiles = new HeldFiles(join(request.rejectsDirectory, 'held'));
  let attempt = createAttempt();
  let isCommitting = false;

  try {
    const outcome = await database
      .transaction((tx) => importInto(tx, true))
      .catch((error: unknown) => {
        // A row that comes twice: which one is refused, only the staging table can say.
        if (!isUniqueViolation(error)) throw error;
        attempt = createAttempt();
        return database.transaction((tx) => importInto(tx, false));
      })
      .catch(recordFailure);
    if (outcome.importId !== null)
      await heldFiles.discardOthers(await listHeld(database.system, accountId));
    return outcome;
  } catch (error) {
    if (error instanceof DryRunEnd) return error.outcome;
    if (error instanceof FileRefused) throw error;
    if (!isCommitting) attempt.rejectsFile?.discard();
    throw explainInterruption(error, basename(file.name), isCommitting) ?? error;
  }

  async function importInto(tx: Tx, mayLoadDirectly: boolean): Promise<ImportOutcome> {
    const { findings } = attempt;
    await beginImport(tx, accountId, request.patienceMs);
    const importId = released?.importId ?? (await recordImport(tx, record));
    if (released && (await findHeldImport(tx, importId)) === null)
      throw new FileRefused(`Import ${importId} is no longer held.`);
    attempt.isRepeat = !released && (await isLastFile(tx, request, reading, findings));
    if (!attempt.isRepeat) {
      const today = localDay(startedAt, account.timeZone);
      const { onProgress } = request;
      await mergeInto(tx, {
        ...{ account, importId, file, format, election, elections, today, isFull },
        ...{ mayLoadDirectly, findings, ...(onProgress && { onProgress }) },
      });
    }
    const because = `It was held, and then a newer file came: import ${importId}.`;
    await discardHeld(tx, accountId, { kind: format.holds, except: importId, because });
    const messages =
      attempt.isRepeat || !kind.changesBallots
        ? undefined
        : await request.afterEvents?.(tx, importId, findings.read);
    const outcome = {
      importId,
      state: messages?.state ?? 'done',
      report: report({
        ...(messages && { gate: messages.reasons }),
        ...(released && { releasedBy: operator }),
      }),
    };
    const closed = await closeImportRun(tx, clock, request, outcome, findings.sha256);
    isCommitting = true;
    return closed;
  }

  async function mergeInto(tx: Tx, task: KindTask): Promise<void> {
    const { findings } = attempt;
    const staged = await kind.stage(tx, task);
    if (released && !released.sha256.equals(findings.sha256))
      throw new FileRefused('This is not the file that was held. Import the right one again.');
    const applied = await kind.merge(tx, task, staged);
    attempt.applied = applied;
    const holdReason = kind.hold?.(applied, settings.import_limits) ?? null;
    if (applied.refusedRows) await countRefusedRows(tx, applied.refusedRows, findings.refusals);
    if (findings.refusals.total > 0) {
      if (request.keepsRejects !== false) {
        attempt.rejectsFile = new RejectsFile(request.rejectsDirectory, record.fileName, startedAt);
        await listRefused(tx, kind, task, applied.refusedRows, attempt.rejectsFile);
      }
      if (!kind.keepsGoodRows) refuseIfMany(findings, settings.import_limits.refused_percent);
    }
    if (holdReason !== null && !released) throw new FileHeld(holdReason);
  }

  /** A refused or held file leaves its report in the database, and nothing else. */
  async function recordFailure(error: unknown): Promise<ImportOutcome> {
    const isHeld = error instanceof FileHeld;
    if (!isHeld && (!(error instanceof FileRefused) || released)) throw error;
    const { before } = report();
    const outcome = isHeld
      ? {
          state: 'held' as const,
          report: report({
            after: before,
            gate: [{ code: 'file-shrank', detail: error.message }],
            heldFile: { format, election, isFull },
          }),
        }
      : { state: 'refused' as const, report: report({ refusedBecause: error.message }) };
    if (request.isDryRun === true) return { importId: null, ...outcome };
    if (isHeld) await heldFiles.keep(file, attempt.findings.sha256);
    return database.transaction(async (tx) => {
      const importId = await recordImport(tx, record);
      const because = `It was held, and then a newer file came: import ${importId}.`;
      if (isHeld)
        await discardHeld(tx, accountId, { kind: format.holds, except: importId, because });
      return closeImportRun(tx, clock, request, { importId, ...outcome }, attempt.findings.sha256);
    });
  }

  function report(more: Partial<ImportReport> = {}): ImportReport {
    const bytes = attempt.isRepeat ? (file.size ?? 0) : attempt.findings.bytes;
    const seconds = (performance.now() - started) / 1000;
    const isDryRun = request.isDryRun === true;
    return { ...buildReport(format, attempt, { reading, isDryRun, bytes, seconds }), ...more };
  }
}

function createAttempt(): Attempt {
  return { findings: new Findings(), isRepeat: false };
}

function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '23505';
}
