import { join } from 'node:path';
import type { FileState } from '@ballot-beacon/contract/office/files';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { ImportId } from '../../platform/ids.ts';
import { type Database, isUnavailable, type Tx } from '../../platform/postgres.ts';
import type { Account } from '../accounts/index.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import {
  discardImport,
  FileRefused,
  findImporter,
  findWaitingImport,
  ImportInterrupted,
  importFile,
  OtherImportRunning,
  openSourceFile,
  type PutBackImport,
  putBackImport,
  takeTurn,
  type WaitingImport,
} from '../imports/index.ts';
import {
  correctImport,
  enqueueMessages,
  releaseImport,
  renewOvertaken,
} from '../notifications/index.ts';
import { type FileKeys, findUploadOfImport, openSealedFile } from '../uploads/index.ts';
import type { TokenKeys } from '../voters/index.ts';

/** Who decides on an import, and why. */
export interface Decider {
  readonly actor: Actor;
  readonly name: string;
  readonly reason: string;
}

export interface ApprovalParts {
  readonly database: Database;
  readonly config: Config;
  readonly clock: Clock;
  readonly fileKeys: FileKeys;
  readonly tokenKeys: TokenKeys;
}

export type Decided =
  | { readonly ok: true; readonly state: 'released' | 'messages-held' | 'discarded' | 'corrected' }
  | { readonly ok: false; readonly problem: string };

interface Task {
  readonly account: Account;
  readonly importId: ImportId;
  readonly by: Decider;
}

/**
 * Approves a file, or only its messages, that wait. The caller has checked that the import is the account's and that
 * somebody else imported it.
 *
 * @param seen what waited when the person looked at it; left out: whatever waits
 */
export async function approve(
  parts: ApprovalParts,
  task: Task,
  seen?: FileState,
): Promise<Decided> {
  const { database } = parts;
  const { account, importId, by } = task;
  const waiting = await findWaitingImport(database.system, importId);
  // Since the look at its state another approval may have loaded it, whose messages nobody has seen.
  if (!waiting && seen === 'file-held') return refuse(decidedMeanwhile);
  await recordAudit(database.system, account.accountId, {
    actor: by.actor,
    action: 'import.approve',
    target: String(importId),
    details: { reason: by.reason },
  });
  return waiting ? loadWaiting(parts, task, waiting) : releaseMessages(parts, task);
}

async function releaseMessages(
  { database, clock }: ApprovalParts,
  { account, importId, by }: Task,
): Promise<Decided> {
  return database.transaction(async (tx): Promise<Decided> => {
    const released = await releaseImport(tx, importId, by.name, clock.now());
    if (!released.ok) return released;
    await recordAudit(tx, account.accountId, {
      actor: by.actor,
      action: 'import.release',
      target: String(importId),
      details: { messages: released.messages },
    });
    return { ok: true, state: 'released' };
  });
}

/** Loads a file that waited, with the options of its import but without the limit that stopped it. */
async function loadWaiting(
  { database, config, clock, fileKeys, tokenKeys }: ApprovalParts,
  { account, by }: Task,
  waiting: WaitingImport,
): Promise<Decided> {
  const { subdomain, accountId } = account;
  const { importId, heldFile, fileName, sha256 } = waiting;
  const rejectsDirectory = join(config.dataDirectory, 'rejects', subdomain);
  const upload = await findUploadOfImport(database.system, importId);
  const open = async () => {
    const copy = upload
      ? openSealedFile(database.system, fileKeys, upload)
      : join(rejectsDirectory, 'held', sha256.toString('hex'));
    return openSourceFile(copy, account.county, heldFile.format.sheet);
  };
  const source = await open().catch((error: unknown) => {
    if (isUnavailable(error)) throw error;
    return null;
  });
  if (!source)
    return refuse(
      upload
        ? 'This file is sealed, and its key is not set on the server of the console. Ask your operator to set it.'
        : 'The copy of this file is not on the machine that serves the console. Ask your operator to approve it where it was imported, with beacon release.',
    );
  try {
    const { state } = await importFile(database, clock, {
      account,
      format: heldFile.format,
      file: { ...source, name: fileName },
      election: heldFile.election ?? undefined,
      isFull: heldFile.isFull,
      operator: by.actor,
      released: waiting,
      tokenKeys,
      rejectsDirectory,
      // The list of an uploaded file's refused rows was made when it was imported.
      keepsRejects: upload === undefined,
      patienceMs: 60_000,
      afterEvents: (tx, id, rowsRead, isJudged) =>
        enqueueMessages(tx, config, { accountId, importId: id, rowsRead, isJudged }, clock.now()),
    });
    return { ok: true, state: state === 'messages-held' ? state : 'released' };
  } catch (error) {
    if (error instanceof FileRefused) return refuse(error.message);
    if (error instanceof OtherImportRunning)
      return refuse('Another file of this office is being loaded. Try again in a minute.');
    if (error instanceof ImportInterrupted) return refuse(error.message);
    throw error;
  }
}

/** Returns a file that waits: nothing of it is ever loaded. */
export async function returnFile(
  { database, config }: ApprovalParts,
  { importId, by }: Task,
): Promise<Decided> {
  const discarded = await discardImport(database, {
    importId,
    reason: by.reason,
    by: by.actor,
    name: by.name,
    rejectsDirectory: join(config.dataDirectory, 'rejects'),
  });
  return discarded.ok ? { ok: true, state: 'discarded' } : refuse(discarded.problem);
}

export type CorrectedImport =
  | {
      readonly ok: true;
      readonly withdrawn: number;
      readonly corrections: number;
      readonly restored: PutBackImport | null;
    }
  | { readonly ok: false; readonly problem: string };

/**
 * Corrects a wrong import in one transaction: withdraws its messages, sends a correction to voters who already got one,
 * and puts back what it changed. At the command line and at the console alike.
 */
export function correct(
  { database, clock }: Pick<ApprovalParts, 'database' | 'clock'>,
  importId: ImportId,
  by: { readonly actor: Actor; readonly name: string; readonly details: object },
): Promise<CorrectedImport> {
  return database.transaction(async (tx: Tx): Promise<CorrectedImport> => {
    // A file that is being loaded is compared with what is on record, and would miss what is put back meanwhile.
    const importer = await findImporter(tx, importId);
    if (importer) await takeTurn(tx, importer.accountId);
    const now = clock.now();
    const corrected = await correctImport(tx, importId, by.name, now);
    if (!corrected.ok) return corrected;
    const { accountId, withdrawn, corrections } = corrected;
    const restored = await putBackImport(tx, importId, now);
    if (restored && restored.of !== 'voters') await renewOvertaken(tx, now);
    await recordAudit(tx, accountId, {
      actor: by.actor,
      action: 'import.correct',
      target: String(importId),
      details: { withdrawn, corrections, ...(restored && { put_back: restored }), ...by.details },
    });
    return { ok: true, withdrawn, corrections, restored };
  });
}

export const decidedMeanwhile = 'Somebody decided on this file in the meantime. Look at it again.';

function refuse(problem: string): Decided {
  return { ok: false, problem };
}
