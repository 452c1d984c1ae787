import { basename, join } from 'node:path';
import { type Clock, localDay } from '../../platform/clock.ts';
import { plainName } from '../../platform/file-name.ts';
import type { Database, Tx } from '../../platform/postgres.ts';
import { listElections } from '../accounts/index.ts';
import { announceChanges } from '../ballots/index.ts';
import { kinds } from './kinds/index.ts';
import type { KindTask } from './kinds/kind.ts';
import { FileRefused } from './read/source-file.ts';
import { closeImportRun, DryRunEnd } from './run/close.ts';
import { Findings } from './run/findings.ts';
import { beginImport, type ImportState, recordImport } from './run/import-store.ts';
import { explainInterruption } from './run/interruption.ts';
import { judgeFile } from './run/judge-file.ts';
import { keptSince } from './run/kept-days.ts';
import { listRefused, refuseIfMany } from './run/list-refused.ts';
import { findNameDay } from './run/old-file.ts';
import { countRefusedRows } from './run/refused-store.ts';
import { discardOldRejects, RejectsFile } from './run/rejects.ts';
import { fingerprintReading, isLastFile } from './run/repeat.ts';
import { type Attempt, buildReport, type ImportReport } from './run/report.ts';
import type { ImportOutcome, ImportRequest } from './run/request.ts';
import { FileImplausible, FileWaits, WaitingFiles } from './run/waiting-files.ts';
import { discardWaiting, findWaitingImport, listWaiting } from './run/waiting-store.ts';

/**
 * Imports an office's file: wholly, except for rows refused one by one, or not at all. Its kind reads each row by the format
 * into a staging table, merges the rows from there set-wise, and judges what they changed. Nothing is visible before the one
 * commit at the end: a file that the gate stops, or a process that dies, leaves no change.
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
  const reading = fingerprintReading(request, elections, kind.listReadingOptions?.(request));
  const record = {
    accountId,
    format: format.name,
    fileName: plainName(basename(file.name)),
    operator,
    startedAt,
  };
  const waitingFiles = new WaitingFiles(join(request.rejectsDirectory, 'held'));
  let attempt = createAttempt();
  let isCommitting = false;

  try {
    const outcome = await database
      .transaction((tx) => importInto(tx, true))
      .catch((error: unknown) => {
        // A voter has two rows. Only the staging table shows which is refused.
        if (!isUniqueViolation(error)) throw error;
        attempt = createAttempt();
        return database.transaction((tx) => importInto(tx, false));
      })
      .catch(recordFailure);
    if (outcome.importId !== null) {
      await waitingFiles.discardOthers(await listWaiting(database.system, accountId));
      await discardOldRejects(request.rejectsDirectory, keptSince(startedAt));
    }
    return withValues(outcome);
  } catch (error) {
    if (error instanceof DryRunEnd) return withValues(error.outcome);
    if (error instanceof FileRefused) throw error;
    if (!isCommitting) attempt.rejectsFile?.discard();
    throw explainInterruption(error, basename(file.name), isCommitting) ?? error;
  }

  function withValues(outcome: ImportOutcome): ImportOutcome {
    return { ...outcome, firstValues: attempt.findings.refusals.firstValues };
  }

  async function importInto(tx: Tx, mayLoadDirectly: boolean): Promise<ImportOutcome> {
    const { findings } = attempt;
    await beginImport(tx, accountId, request.patienceMs);
    const importId = released?.importId ?? (await recordImport(tx, record));
    if (released && (await findWaitingImport(tx, importId)) === null)
      throw new FileRefused(`Import ${importId} is not waiting for approval any more.`);
    attempt.isRepeat = !released && (await isLastFile(tx, request, reading, findings));
    const today = localDay(startedAt, account.timeZone);
    if (!attempt.isRepeat) {
      const { onProgress } = request;
      await mergeInto(tx, {
        ...{ account, importId, file, format, election, elections, today, isFull },
        ...{ mayLoadDirectly, findings, ...(onProgress && { onProgress }) },
        tokenKeys: request.tokenKeys,
      });
    }
    // The same bytes may come as the file of another day.
    const fileDay = attempt.isRepeat
      ? (findNameDay(record.fileName, today, elections) ?? findings.fileDay)
      : (attempt.fileDay ?? null);
    if (!kind.rowsStandAlone)
      await discardWaiting(tx, accountId, {
        ...{ format: format.name, except: importId, fileDay },
        elections: attempt.learned?.elections ?? findings.elections,
      });
    const messages =
      attempt.isRepeat || !kind.changesBallots
        ? undefined
        : await request.afterEvents?.(tx, importId, findings.read, kind.judgesStatuses);
    if (!attempt.isRepeat) await request.inspect?.(tx, importId);
    stopWaiting();
    const outcome = {
      importId,
      state: stateOf(messages?.state),
      report: report({
        ...(messages && { gate: messages.reasons }),
        ...(released && { releasedBy: operator }),
      }),
    };
    const { added = 0, changed = 0, events = 0 } = attempt.applied ?? {};
    if (kind.changesBallots && added + changed + events > 0) await announceChanges(tx, accountId);
    const closed = await closeImportRun(tx, clock, request, outcome, findings.sha256);
    isCommitting = true;
    return closed;
  }

  function stateOf(messages: 'done' | 'messages-held' = 'done'): ImportState {
    if (messages === 'messages-held') return messages;
    if (attempt.isRepeat) return 'nothing-new';
    return released ? 'released' : 'done';
  }

  async function mergeInto(tx: Tx, task: KindTask): Promise<void> {
    const { findings } = attempt;
    const staged = await kind.stage(tx, task);
    if (released && !released.sha256.equals(findings.sha256))
      throw new FileRefused('This is not the file that waits for approval. Import it again.');
    const applied = await kind.merge(tx, task, staged);
    attempt.applied = applied;
    const reasons = await judgeFile(tx, kind, task, attempt, applied);
    if (applied.refusedRows) await countRefusedRows(tx, applied.refusedRows, findings.refusals);
    if (findings.refusals.total > 0) {
      if (request.keepsRejects !== false) {
        attempt.rejectsFile =
          request.openRejects?.() ??
          new RejectsFile(request.rejectsDirectory, record.fileName, startedAt);
        await listRefused(tx, kind, task, applied.refusedRows, attempt.rejectsFile);
      }
      refuseIfMany(findings, kind.rowsStandAlone ? null : settings.import_limits.refused_percent);
    }
    const { askedReason } = request;
    attempt.reasons = askedReason ? [...reasons, askedReason] : reasons;
    if (!request.inspect) stopWaiting();
  }

  function stopWaiting(): void {
    const { reasons = [] } = attempt;
    if (reasons.length === 0 || released) return;
    if (request.neverWaits !== true) throw new FileWaits(reasons);
    throw new FileImplausible(reasons);
  }

  /** A refused or waiting file leaves its report in the database, and nothing else. */
  async function recordFailure(error: unknown): Promise<ImportOutcome> {
    const waits = error instanceof FileWaits;
    if (!waits && (!(error instanceof FileRefused) || released)) throw error;
    // It was rolled back, and nobody can approve it: a report that counts it would be read as done.
    if (!waits) attempt.applied = undefined;
    const { before, after } = report();
    const outcome = waits
      ? {
          state: 'file-held' as const,
          report: report({
            ...{ after: before, ifApproved: after, gate: error.reasons },
            heldFile: { format, election, isFull },
          }),
        }
      : {
          state: 'refused' as const,
          report: report({
            refusedBecause: error.message,
            ...(error instanceof FileImplausible && { gate: error.reasons }),
          }),
        };
    if (request.isDryRun === true) return { importId: null, ...outcome };
    if (waits && request.keepsCopy !== false)
      await waitingFiles.keep(file, attempt.findings.sha256);
    return database.transaction(async (tx) => {
      const importId = await recordImport(tx, record);
      const isOld = waits && error.reasons.some(({ code }) => code === 'old-file');
      if (waits && !isOld && !kind.rowsStandAlone)
        await discardWaiting(tx, accountId, {
          ...{ format: format.name, except: importId, fileDay: attempt.fileDay ?? null },
          elections: attempt.learned?.elections ?? [],
        });
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
