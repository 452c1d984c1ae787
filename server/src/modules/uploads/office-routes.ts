import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type ListedUpload,
  mostUploadBytes,
  pieceBytes,
  type UploadAnswer,
  UploadPreview,
  type UploadsAnswer,
} from '@ballot-beacon/contract/office/uploads';
import { attachAs } from '../../platform/attach.ts';
import { plainName } from '../../platform/file-name.ts';
import type { ImportId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { problem } from '../../platform/problem.ts';
import { listElections } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { listFormats } from '../imports/index.ts';
import {
  nameActors,
  type OfficeApi,
  type OfficeSession,
  type OfficeVisit,
} from '../people/index.ts';
import { addPiece, listPieces, placeOf } from './piece-store.ts';
import { bytesOfPiece, mostWaiting, mostWaitingBytes } from './rules.ts';
import { type FileKeys, SealBroken } from './seal.ts';
import { isWhole, openRejects } from './sealed-file.ts';
import {
  addUpload,
  findUpload,
  findUploadOfImport,
  listUndecided,
  markDeleted,
  queueCheck,
  queueImport,
  type Upload,
} from './upload-store.ts';

export interface UploadRoutesParts {
  readonly fileKeys: FileKeys;
  /** Says that there is work, so that it need not wait for the next look. */
  readonly wake: () => void;
}

type SignedInVisit = OfficeVisit & { readonly session: OfficeSession };

/** Pieces that one process stores at the same time. */
const mostPiecesAtOnce = 16;

/** Files that people upload: their pieces, what they would do, and the decision on them. */
export function registerUploadRoutes(api: OfficeApi, parts: UploadRoutesParts): void {
  const { fileKeys, wake } = parts;
  let piecesAtOnce = 0;

  const list = async (visit: SignedInVisit): Promise<UploadsAnswer> => {
    const { db, account } = visit;
    const uploads = await listUndecided(db);
    const nameOf = await nameActors(
      db,
      uploads.map(({ uploadedBy }) => uploadedBy),
    );
    const formats = await listFormats();
    const elections = await listElections(db, account.accountId);
    return {
      uploads: uploads.map((upload) => listUpload(visit, upload, nameOf)),
      formats: formats.map(({ name, title }) => ({ name, title })),
      elections: elections.map(({ number, name }) => ({ number, name })),
      most_bytes: mostUploadBytes,
    };
  };
  api.answer('listUploads', list);

  api.answer('startUpload', async (visit, { body }) => {
    const { db, account, session, now } = visit;
    if (!fileKeys.isReady)
      throw problem(503, 'This server has no key to seal files with. Ask your operator to set it.');
    await refuseTooMany(db, body.size);
    const upload = {
      uploadedBy: session.actor,
      fileName: plainName(body.file_name),
      size: body.size,
      pieceSize: pieceBytes,
      key: fileKeys.create(),
    };
    const uploadId = await db.transaction().execute(async (tx) => {
      const added = await addUpload(tx, upload, now);
      await recordAudit(tx, account.accountId, {
        actor: session.actor,
        action: 'upload.start',
        target: String(added),
        details: { file_name: upload.fileName, bytes: upload.size },
      });
      return added;
    });
    return answer(visit, uploadId);
  });

  api.answer('getUpload', (visit, { params }) => answer(visit, params.upload_id));

  api.answer('sendPiece', async ({ db, session }, { params, query, body }) => {
    const upload = await requireOwn(db, session, params.upload_id);
    const { piece } = params;
    if (body.length !== bytesOfPiece(upload, piece) || body.length === 0)
      throw problem(422, 'This piece has the wrong size. Choose the file again.');
    const sha256 = createHash('sha256').update(body).digest();
    if (!isSame(sha256, Buffer.from(query.sha256, 'hex')))
      throw problem(422, 'This piece was changed on its way. Send it again.');
    if (piecesAtOnce >= mostPiecesAtOnce)
      throw problem(429, 'Too many pieces at once. Send it again.', {
        headers: { 'retry-after': '1' },
      });
    piecesAtOnce += 1;
    try {
      const sealed = fileKeys.open(upload).seal(placeOf('file', piece), body);
      const bytes = body.length;
      const stored = await addPiece(db, upload.uploadId, { piece, bytes, sha256, sealed });
      if (!stored) throw decidedMeanwhile();
      if (!isSame(stored, sha256))
        throw problem(409, 'This is not the file whose upload was started.');
    } catch (error) {
      throw explainFullDisk(error);
    } finally {
      piecesAtOnce -= 1;
    }
    return undefined;
  });

  api.answer('checkUpload', async (visit, { params, body }) => {
    const { db, account, session, now } = visit;
    const upload = await requireOwn(db, session, params.upload_id);
    if (!isWhole(upload)) throw problem(409, 'Some pieces of this file are still missing.');
    const { format = null, election = null, is_full: isFull = false } = body;
    if (format !== null && !(await listFormats()).some(({ name }) => name === format))
      throw problem(422, 'There is no such format.');
    const elections = await listElections(db, account.accountId);
    if (election !== null && !elections.some((one) => one.number === election))
      throw problem(422, 'There is no such election.');
    if (!(await queueCheck(db, upload.uploadId, { format, election, isFull }, now)))
      throw decidedMeanwhile();
    wake();
    return answer(visit, upload.uploadId);
  });

  api.answer('importUpload', async (visit, { params, body }) => {
    const { db, account, session, now } = visit;
    const upload = await requireOwn(db, session, params.upload_id);
    const askBecause = body.ask_because ?? null;
    await db.transaction().execute(async (tx) => {
      if (!(await queueImport(tx, upload.uploadId, { check: body.check, askBecause }, now)))
        throw decidedMeanwhile();
      await recordAudit(tx, account.accountId, {
        actor: session.actor,
        action: 'upload.import',
        target: String(upload.uploadId),
        details: { check: body.check, ...(askBecause && { ask_because: askBecause }) },
      });
    });
    wake();
    return answer(visit, upload.uploadId);
  });

  api.answer('deleteUpload', async ({ db, account, session, now }, { params }) => {
    const upload = await requireUpload(db, params.upload_id);
    await db.transaction().execute(async (tx) => {
      if (!(await markDeleted(tx, upload.uploadId, now))) throw decidedMeanwhile();
      await recordAudit(tx, account.accountId, {
        actor: session.actor,
        action: 'upload.delete',
        target: String(upload.uploadId),
        details: { file_name: upload.fileName },
      });
    });
    wake();
    return undefined;
  });

  api.answer('downloadRejects', async ({ db }, { params, reply }) => {
    const upload = await findUploadOfImport(db, params.import_id as ImportId);
    const rejects =
      upload &&
      (await openRejects(db, fileKeys, upload).catch((error: unknown) =>
        explainSeal(error, 'Ask your operator to set it.'),
      ));
    if (!rejects)
      throw problem(
        404,
        'No refused rows of this file are kept here. The rows of a file that was imported elsewhere are on that machine.',
      );
    attachAs(reply, `rejects-${params.import_id}.csv`);
    return rejects;
  });

  async function answer(visit: SignedInVisit, uploadId: number): Promise<UploadAnswer> {
    const { db } = visit;
    const upload = await requireUpload(db, uploadId);
    const nameOf = await nameActors(db, [upload.uploadedBy]);
    const isReceiving = upload.state === 'receiving';
    return {
      ...listUpload(visit, upload, nameOf),
      piece_bytes: upload.pieceSize,
      received: isReceiving ? await listPieces(db, uploadId) : [],
      format: upload.format,
      election: upload.election,
      is_full: upload.isFull,
      check: upload.checkNumber,
      progress_bytes: upload.progressBytes,
      problem: upload.problem,
      preview: readPreview(upload),
      import_id: upload.importId,
    };
  }

  function readPreview(upload: Upload): UploadPreview | null {
    if (upload.preview === null) return null;
    try {
      const opened = fileKeys.open(upload).open(`preview ${upload.checkNumber}`, upload.preview);
      return UploadPreview.parse(JSON.parse(opened.toString()));
    } catch (error) {
      explainSeal(error, 'Ask your operator to set it, or delete the file.');
    }
  }
}

/** @throws in words where the key of a file is missing, and else `error` itself */
function explainSeal(error: unknown, whatToDo: string): never {
  if (!(error instanceof SealBroken)) throw error;
  throw problem(503, `The key of this file is not set on this server. ${whatToDo}`);
}

function listUpload(
  { session }: SignedInVisit,
  upload: Upload,
  nameOf: (actor: string) => string,
): ListedUpload {
  return {
    upload_id: upload.uploadId,
    file_name: upload.fileName,
    size: upload.size,
    state: upload.state,
    uploaded_by: nameOf(upload.uploadedBy),
    is_own: upload.uploadedBy === session.actor,
    created_at: upload.createdAt.toISOString(),
    received_bytes: upload.receivedBytes,
  };
}

async function refuseTooMany(db: Db, size: number): Promise<void> {
  const waiting = await listUndecided(db);
  if (waiting.length >= mostWaiting)
    throw problem(
      409,
      `${mostWaiting} files wait for a decision. Import or delete one of them first.`,
    );
  const bytes = waiting.reduce((sum, one) => sum + one.size, size);
  if (bytes > mostWaitingBytes)
    throw problem(
      409,
      `The files that wait for a decision would be larger than ${mostWaitingBytes / 1024 ** 3} GB together. Import or delete one of them first.`,
    );
}

async function requireUpload(db: Db, uploadId: number): Promise<Upload> {
  const upload = await findUpload(db, uploadId);
  if (!upload) throw problem(404, 'This office has no such file any more.');
  return upload;
}

/** The importer of a file is one person, of whom the second one is another. */
async function requireOwn(db: Db, session: OfficeSession, uploadId: number): Promise<Upload> {
  const upload = await requireUpload(db, uploadId);
  if (upload.uploadedBy !== session.actor)
    throw problem(403, 'Another person uploaded this file. Only that person can go on with it.');
  return upload;
}

function decidedMeanwhile(): Error {
  return problem(
    409,
    'This file was checked again, or somebody decided on it in the meantime. Look at it again.',
  );
}

const diskFull = '53100';

function explainFullDisk(error: unknown): unknown {
  if ((error as { code?: unknown }).code !== diskFull) return error;
  return problem(
    503,
    'There is no room left for this file on the server. Ask your operator to make room, then continue.',
  );
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
