import { setTimeout as wait } from 'node:timers/promises';
import type {
  DecisionAnswer,
  FileAnswer,
  FileState,
  ListedFile,
} from '@ballot-beacon/contract/office/files';
import type { ImportId } from '../../platform/ids.ts';
import { codeOf, type Log, stackOf } from '../../platform/log.ts';
import type { Db } from '../../platform/postgres.ts';
import { problem } from '../../platform/problem.ts';
import { recordAudit } from '../audit/index.ts';
import {
  findImport,
  isImporting,
  type ListedImport,
  pageImports,
  viewReport,
} from '../imports/index.ts';
import { readQueue, viewFinish } from '../notifications/index.ts';
import {
  nameActors,
  type OfficeApi,
  type OfficeSession,
  type OfficeVisit,
} from '../people/index.ts';
import { hasRejects, inClerksWords } from '../uploads/index.ts';
import {
  type ApprovalParts,
  approve,
  correct,
  type Decided,
  type Decider,
  decidedMeanwhile,
  returnFile,
} from './approve.ts';
import { isImporter } from './rules.ts';
import { countMessages, readDecisions } from './store.ts';

export interface ApprovalRoutesParts extends ApprovalParts {
  readonly log: Log;
}

const pageLength = 50;
/** A clerk waits as long; a larger file goes on loading. */
const patienceMs = 8_000;

/** The history of imported files, and the decisions on files that wait or were wrong. */
export function registerApprovalRoutes(api: OfficeApi, parts: ApprovalRoutesParts): void {
  api.answer('listFiles', async ({ db }, { query }) => {
    const found = await pageImports(db, query, pageLength + 1);
    const shown = found.slice(0, pageLength);
    const nameOf = await nameActors(
      db,
      shown.map(({ operator }) => operator),
    );
    return {
      files: shown.map((one) => listFile(one, nameOf)),
      next: found.length > pageLength ? (shown.at(-1)?.importId ?? null) : null,
    };
  });

  api.answer('getFile', (visit, { params }) =>
    readFile(visit, parts, params.import_id as ImportId),
  );

  api.answer('releaseFile', async (visit, { params, body }) => {
    const task = await prepare(
      visit,
      params.import_id as ImportId,
      body.reason,
      'approve',
      body.state,
    );
    return decide(visit, parts, task, approve(parts, task, body.state));
  });

  api.answer('returnFile', async (visit, { params, body }) => {
    const task = await prepare(visit, params.import_id as ImportId, body.reason, 'return');
    return decide(visit, parts, task, returnFile(parts, task));
  });

  api.answer('correctFile', async (visit, { params, body }) => {
    const task = await prepare(visit, params.import_id as ImportId, body.reason, 'correct');
    const { importId, by } = task;
    const { actor, name, reason } = by;
    const work = correct(parts, importId, { actor, name, details: { reason } }).then(
      (corrected): Decided => (corrected.ok ? { ok: true, state: 'corrected' } : corrected),
    );
    return decide(visit, parts, task, work);
  });
}

type SignedInVisit = OfficeVisit & { readonly session: OfficeSession };

interface DecisionTask {
  readonly account: OfficeVisit['account'];
  readonly importId: ImportId;
  readonly by: Decider;
}

const decidable = {
  approve: ['file-held', 'messages-held'],
  return: ['file-held'],
  correct: ['done', 'released', 'messages-held'],
} as const;

/** @throws {ProblemError} unless the import is this office's, may be decided so, and is somebody else's */
async function prepare(
  { db, account, session }: SignedInVisit,
  importId: ImportId,
  reason: string,
  decision: keyof typeof decidable,
  seen?: FileState,
): Promise<DecisionTask> {
  const found = await requireImport(db, importId);
  // A person who saw a file wait has not seen the messages that wait once it is approved.
  const states: readonly string[] = seen ? [seen] : decidable[decision];
  if (!states.includes(found.state)) throw problem(409, decidedMeanwhile);
  if (await isOwn(db, found, session))
    throw problem(403, `You imported this file. A second person must check it and ${decision} it.`);
  return { account, importId, by: { actor: session.actor, name: session.name, reason } };
}

/** Waits for a decision that takes effect soon. One that takes longer goes on, and its end is on record either way. */
async function decide(
  { account }: OfficeVisit,
  { database, log }: ApprovalRoutesParts,
  { importId, by }: DecisionTask,
  work: Promise<Decided>,
): Promise<DecisionAnswer> {
  const recorded = work.then(
    async (outcome): Promise<Decided> => {
      if (outcome.ok) return outcome;
      const said = inClerksWords(outcome.problem);
      await fail(said);
      return { ok: false, problem: said };
    },
    async (error: unknown): Promise<Decided> => {
      log.write('job.failed', { job: 'decide', code: codeOf(error), stack: stackOf(error) });
      const text =
        'It failed on our side, and nothing was changed. Try again, or ask your operator.';
      await fail(text);
      return { ok: false, problem: text };
    },
  );
  const outcome = await Promise.race([recorded, wait(patienceMs, undefined, { ref: false })]);
  if (!outcome) return { state: 'loading' };
  if (!outcome.ok) throw problem(409, outcome.problem);
  return { state: outcome.state };

  function fail(reason: string): Promise<void> {
    return recordAudit(database.system, account.accountId, {
      actor: by.actor,
      action: 'import.fail',
      target: String(importId),
      details: { reason },
    });
  }
}

async function requireImport(db: Db, importId: ImportId): Promise<ListedImport> {
  const found = await findImport(db, importId);
  if (!found) throw problem(404, 'This office has no such file.');
  return found;
}

async function isOwn(db: Db, { operator }: ListedImport, session: OfficeSession): Promise<boolean> {
  const nameOf = await nameActors(db, [operator]);
  return isImporter({ actor: operator, name: nameOf(operator) }, session);
}

function listFile(one: ListedImport, nameOf: (actor: string) => string): ListedFile {
  return {
    import_id: one.importId,
    file_name: one.fileName,
    format: one.format,
    state: one.state,
    imported_by: nameOf(one.operator),
    finished_at: one.finishedAt.toISOString(),
    rows_read: one.rowsRead,
    rows_refused: one.rowsRefused,
  };
}

/** When the messages of an import are gone, counting what waits of all offices. */
async function readFinish(
  { database, config, clock }: ApprovalParts,
  importId: ImportId,
): Promise<FileAnswer['finish']> {
  const { asked } = await readQueue(database.system, config, importId, clock.now());
  return asked ? viewFinish(asked) : null;
}

async function readFile(
  { db, account, session }: SignedInVisit,
  { database, ...parts }: ApprovalParts,
  importId: ImportId,
): Promise<FileAnswer> {
  const found = await requireImport(db, importId);
  const { report } = found;
  const endedBecause = report.refusedBecause ?? report.discardedBecause;
  const decisions = await readDecisions(db, importId);
  const messages = await countMessages(db, importId);
  const nameOf = await nameActors(db, [found.operator, ...decisions.map(({ actor }) => actor)]);
  return {
    ...listFile(found, nameOf),
    holds: report.holds,
    ...viewReport(report),
    reasons: (report.gate ?? []).map(({ detail, examples = [] }) => ({
      detail: inClerksWords(detail),
      examples: [...examples],
    })),
    refusals: report.refusals.map((one) => ({ ...one, reason: inClerksWords(one.reason) })),
    has_rejects: await hasRejects(db, importId),
    unknown_statuses: [...report.unknownStatuses],
    unknown_columns: [...report.unknownColumns],
    ended_because: endedBecause === undefined ? null : inClerksWords(endedBecause),
    messages,
    finish: messages.unsent > 0 ? await readFinish({ database, ...parts }, importId) : null,
    is_loading: await isImporting(database.system, account.accountId),
    is_own: await isOwn(db, found, session),
    history: decisions.map(({ at, actor, action, reason }) => ({
      at: at.toISOString(),
      who: nameOf(actor),
      what: action,
      reason,
    })),
  };
}
