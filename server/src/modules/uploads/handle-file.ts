import { join } from 'node:path';
import type { UploadPreview } from '@ballot-beacon/contract/office/uploads';
import { isUnavailable } from '../../platform/postgres.ts';
import { type Account, findAccount } from '../accounts/index.ts';
import type { Actor } from '../audit/index.ts';
import {
  FileRefused,
  type Format,
  ImportInterrupted,
  type ImportRequest,
  importFile,
  listFormats,
  OtherImportRunning,
  openSourceFile,
  readSampleChanges,
  recognizeFormat,
  type SampleChange,
  type SourceFile,
} from '../imports/index.ts';
import {
  type AnnouncedFinish,
  enqueueMessages,
  type PreviewedMessage,
  previewImport,
  readQueue,
} from '../notifications/index.ts';
import { nameActors } from '../people/index.ts';
import type { UploadWorkParts } from './parts.ts';
import { deleteRejects } from './piece-store.ts';
import { describePreview } from './preview.ts';
import { inClerksWords } from './rules.ts';
import { SealBroken } from './seal.ts';
import { openSealedFile } from './sealed-file.ts';
import { SealedRejects, ShownRejects } from './sealed-rejects.ts';
import { type Claim, endWork, postponeWork, recordImported } from './work-store.ts';

export interface FileTask {
  readonly claim: Claim;
  /** Of the file, read so far. */
  onBytes(bytes: number): void;
}

/** Another process has the work now, and this one must not record anything. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** How long the file waits for another import of the office before it makes room for other work. */
const patienceMs = 20_000;

/** Finds out what a file would do: the import itself does it, and is rolled back. */
export function checkFile(parts: UploadWorkParts, task: FileTask): Promise<void> {
  return handle(parts, task, async ({ account, file, format, request }) => {
    const { database, config, clock, fileKeys } = parts;
    const { claim } = task;
    const rejects = new ShownRejects();
    let samples: SampleChange[] = [];
    let messages: PreviewedMessage[] = [];
    let finish: AnnouncedFinish | undefined;
    const outcome = await importFile(database, clock, {
      ...request,
      isDryRun: true,
      openRejects: () => rejects,
      async inspect(tx, importId) {
        samples = await readSampleChanges(tx, account.accountId, importId);
        messages = await previewImport(tx, config, account.accountId, importId, clock.now());
        if (messages.length > 0)
          finish = (await readQueue(tx, config, importId, clock.now())).asked;
      },
    });
    const { rows } = rejects;
    const found = { outcome, samples, messages, finish, refusedRows: rows, checkedAt: clock.now() };
    const preview: UploadPreview = describePreview(found);
    const sealed = fileKeys
      .open(claim.upload)
      .seal(`preview ${claim.upload.checkNumber}`, Buffer.from(JSON.stringify(preview)));
    await endWork(
      database.system,
      claim,
      { preview: sealed, isImportable: preview.outcome !== 'refused', format: format.name },
      clock.now(),
    );
    return file;
  });
}

/** Imports a file as a person decided. Its upload and its import are recorded by one commit. */
export function importUploaded(parts: UploadWorkParts, task: FileTask): Promise<void> {
  return handle(parts, task, async ({ account, request }) => {
    const { database, clock, fileKeys } = parts;
    const { claim } = task;
    const { upload, lease } = claim;
    const { uploadId } = upload;
    await deleteRejects(database.system, { uploadId, lease });
    const seal = fileKeys.open(upload);
    await importFile(database, clock, {
      ...request,
      openRejects: () => new SealedRejects(database.system, seal, { uploadId, lease }),
      ...(upload.askBecause !== null && {
        askedReason: {
          code: 'asked',
          detail: `${await nameOf(parts, account, upload.uploadedBy)} asks a second person: ${upload.askBecause}`,
        },
      }),
      async whenRecorded(tx, importId) {
        if (!(await recordImported(tx, claim, importId, clock.now()))) throw new LeaseLost();
      },
    });
  });
}

async function nameOf(
  { database }: UploadWorkParts,
  { accountId }: Account,
  actor: string,
): Promise<string> {
  return (await nameActors(database.forOffice(accountId), [actor]))(actor);
}

interface OpenedFile {
  readonly account: Account;
  readonly file: SourceFile;
  readonly format: Format;
  readonly request: ImportRequest;
}

/** Opens an upload for the engine, and says to the person what the engine could not do. */
async function handle(
  parts: UploadWorkParts,
  task: FileTask,
  use: (opened: OpenedFile) => Promise<unknown>,
): Promise<void> {
  const { database, clock } = parts;
  const { claim } = task;
  const end = (problem: string) => endWork(database.system, claim, { problem }, clock.now());
  try {
    await use(await open(parts, task));
  } catch (error) {
    if (error instanceof LeaseLost) return;
    if (error instanceof OtherImportRunning) return postponeWork(database.system, claim);
    if (error instanceof FileRefused) return end(inClerksWords(error.message));
    if (error instanceof SealBroken) return end(keyMissing);
    if (!(error instanceof ImportInterrupted)) throw error;
    if (error.isDiskFull) return end(diskFull);
    throw isUnavailable(error.cause) ? error.cause : error;
  }
}

const keyMissing =
  'This file cannot be opened: its key is not set on this server, or it was changed. Ask your operator, or delete the file and upload it again.';
const diskFull =
  'There is no room left on the server. Nothing of the file was imported. Ask your operator to make room, then try again.';

async function open(parts: UploadWorkParts, { claim, onBytes }: FileTask): Promise<OpenedFile> {
  const { database, config, clock, fileKeys, tokenKeys } = parts;
  const { upload } = claim;
  const { accountId } = upload;
  const account = await findAccount(database.system, accountId);
  if (!account) throw new Error(`There is no account ${accountId}.`);
  const formats = await listFormats();
  const named = formats.find(({ name }) => name === upload.format);
  const stored = openSealedFile(database.system, fileKeys, upload);
  const file = await openSourceFile(stored, account.county, named?.sheet);
  const format = named ?? (await recognize(file, formats));
  return {
    ...{ account, file, format },
    request: {
      ...{ account, file, format, tokenKeys, patienceMs },
      election: upload.election ?? undefined,
      isFull: upload.isFull,
      operator: upload.uploadedBy as Actor,
      rejectsDirectory: join(config.dataDirectory, 'rejects', account.subdomain),
      keepsCopy: false,
      onProgress: ({ bytes }) => onBytes(bytes),
      afterEvents: (tx, importId, rowsRead, isJudged) =>
        enqueueMessages(tx, config, { accountId, importId, rowsRead, isJudged }, clock.now()),
    },
  };
}

async function recognize(file: SourceFile, formats: readonly Format[]): Promise<Format> {
  const recognized = await recognizeFormat(file, formats);
  if (recognized.ok) return recognized.format;
  throw new FileRefused(recognized.message);
}
