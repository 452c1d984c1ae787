import { Readable } from 'node:stream';
import type { Db } from '../../platform/postgres.ts';
import type { StoredFile } from '../imports/index.ts';
import { type PieceKind, placeOf, readPiece } from './piece-store.ts';
import { type FileKeys, type FileSeal, SealBroken } from './seal.ts';
import type { Upload } from './upload-store.ts';

/** As from a disk: the rows of a part are in memory at once. */
const partSize = 64 * 1024;

/**
 * An uploaded file as the engine reads it: opened piece by piece, and nowhere on a disk.
 * @param db of the owner, or bound to the account
 * @throws {SealBroken} when its key is not here
 */
export function openSealedFile(db: Db, keys: FileKeys, upload: Upload): StoredFile {
  const seal = keys.open(upload);
  const { uploadId, fileName: name, size, pieceSize } = upload;
  // A zip's directory is read in many small parts of one piece.
  let last: { readonly piece: number; readonly bytes: Buffer } | undefined;
  const open = async (piece: number): Promise<Buffer> => {
    if (last?.piece === piece) return last.bytes;
    const bytes = await openPiece(db, seal, { uploadId, kind: 'file', piece });
    if (bytes === null) throw new SealBroken(`Piece ${piece} of the file is missing.`);
    last = { piece, bytes };
    return bytes;
  };
  async function* readParts(start: number, end: number): AsyncGenerator<Buffer> {
    for (let piece = Math.floor(start / pieceSize); piece * pieceSize < end; piece += 1) {
      const offset = piece * pieceSize;
      const bytes = await open(piece);
      const finish = Math.min(bytes.length, end - offset);
      for (let at = Math.max(0, start - offset); at < finish; at += partSize)
        yield bytes.subarray(at, Math.min(finish, at + partSize));
    }
  }
  return {
    name,
    size,
    read: (start = 0, end = size) =>
      Readable.from(readParts(start, end), { objectMode: false, highWaterMark: partSize }),
  };
}

/** The list of refused rows of an upload's import, as it was written; undefined when none is kept. */
export async function openRejects(
  db: Db,
  keys: FileKeys,
  upload: Upload,
): Promise<Readable | undefined> {
  const seal = keys.open(upload);
  const { uploadId } = upload;
  const read = (piece: number) => openPiece(db, seal, { uploadId, kind: 'rejects', piece });
  const first = await read(0);
  if (first === null) return undefined;
  async function* readAll(): AsyncGenerator<Buffer> {
    let bytes = first;
    for (let piece = 1; bytes !== null; piece += 1) {
      yield bytes;
      bytes = await read(piece);
    }
  }
  return Readable.from(readAll(), { objectMode: false });
}

async function openPiece(
  db: Db,
  seal: FileSeal,
  of: { readonly uploadId: number; readonly kind: PieceKind; readonly piece: number },
): Promise<Buffer | null> {
  const { uploadId, kind, piece } = of;
  const sealed = await readPiece(db, uploadId, kind, piece);
  return sealed && seal.open(placeOf(kind, piece), sealed);
}

/** Whether every piece is here. */
export function isWhole({ receivedBytes, size }: Upload): boolean {
  return receivedBytes === size;
}
