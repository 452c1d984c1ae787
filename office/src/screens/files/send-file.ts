import type { OfficeCallName } from '@ballot-beacon/contract/office/calls';
import type { UploadAnswer } from '@ballot-beacon/contract/office/uploads';
import { type Answer, CallError, type Input } from '../../api/client.ts';

/** Makes a call, after another sign-in where the session has ended. */
export type Act = <Name extends OfficeCallName>(
  name: Name,
  input: Input<Name>,
) => Promise<Answer<Name>>;

export interface Sending {
  /** `waiting`: without a connection; it goes on by itself. */
  readonly state: 'sending' | 'waiting' | 'sent' | 'failed';
  readonly sentBytes: number;
  /** Why it failed, for the person. */
  readonly problem?: string;
}

/** The file that was chosen is not the one of which pieces are there. */
export class OtherFile extends Error {
  override readonly name = 'OtherFile';
}

const piecesAtOnce = 2;
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/**
 * Sends the pieces of a file that are not there yet, and each of them until it is there.
 * @throws {OtherFile} when pieces of another file are there
 * @throws {CallError} when the server refuses one for good
 */
export async function sendFile(
  act: Act,
  file: File,
  upload: UploadAnswer,
  onChange: (sending: Sending) => void,
): Promise<void> {
  const { upload_id: id, piece_bytes: size } = upload;
  const here = new Map(upload.received.map(({ piece, sha256 }) => [piece, sha256]));
  const missing: number[] = [];
  let sentBytes = 0;
  const read = (piece: number) => file.slice(piece * size, (piece + 1) * size).arrayBuffer();
  for (let piece = 0; piece * size < file.size; piece += 1) {
    const known = here.get(piece);
    if (known === undefined) {
      missing.push(piece);
      continue;
    }
    const bytes = await read(piece);
    if ((await hashOf(bytes)) !== known) throw new OtherFile();
    sentBytes += bytes.byteLength;
  }
  onChange({ state: 'sending', sentBytes });
  const sendNext = async (): Promise<void> => {
    for (let piece = missing.shift(); piece !== undefined; piece = missing.shift()) {
      const bytes = await read(piece);
      const sha256 = await hashOf(bytes);
      await untilSent(
        () =>
          act('sendPiece', { params: { upload_id: id, piece }, query: { sha256 }, body: bytes }),
        () => onChange({ state: 'waiting', sentBytes }),
      );
      sentBytes += bytes.byteLength;
      onChange({ state: 'sending', sentBytes });
    }
  };
  await Promise.all(Array.from({ length: piecesAtOnce }, sendNext));
  onChange({ state: 'sent', sentBytes });
}

/** Tries again while the connection or the server is away, at the latest when the browser says that it is back. */
async function untilSent(send: () => Promise<unknown>, onPause: () => void): Promise<void> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      await send();
      return;
    } catch (error) {
      if (!(error instanceof CallError) || !mayPass(error.status)) throw error;
      onPause();
      await pause(pauseMs);
    }
  }
}

function mayPass(status: number): boolean {
  return status === 0 || status === 408 || status === 429 || (status >= 500 && status !== 507);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener('online', end);
  });
}

async function hashOf(bytes: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
