/**
 * Checks an exported audit by itself, with nothing but Node (24 or later):
 *
 *   node verify-export.ts FILE [POSITION:HASH]
 *
 * FILE is what `beacon audit export` wrote: one JSON array a line, in the order of the chain:
 * [position, hash, audit number, account or "", time, actor, action, target, details].
 * POSITION:HASH is a published head; without it a file whose end was cut off looks like a whole file.
 *
 * Each hash is the SHA-256 of the previous hash (32 zero bytes before the first) and then of every other field but
 * the hash itself, as text: its length in bytes as 4 bytes, the greatest first, and its UTF-8.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline/promises';

export const noHash: Buffer = Buffer.alloc(32);

/** @param fields position, audit number, account, time, actor, action, target, details */
export function hashLink(previous: Uint8Array, fields: readonly string[]): Buffer {
  const hash = createHash('sha256').update(previous);
  for (const field of fields) {
    const bytes = Buffer.from(field, 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  }
  return hash.digest();
}

/** Whether a text is written as a published head at all. */
export function isHead(text: string): boolean {
  return /^[1-9]\d*:[0-9a-f]{64}$/.test(text);
}

/** @returns what is wrong, or how many entries are right */
export async function verifyExport(
  lines: AsyncIterable<string>,
  head?: string,
): Promise<{ readonly wrong: string } | { readonly entries: number; readonly head: string }> {
  let previous = noHash;
  let position = 0;
  let isHeadSeen = head === undefined;
  for await (const line of lines) {
    position += 1;
    const [given, hash, ...fields] = readLine(line);
    if (given !== String(position))
      return { wrong: `Entry ${position} is missing or out of order.` };
    previous = hashLink(previous, [given, ...fields]);
    if (hash !== previous.toString('hex'))
      return { wrong: `Entry ${position} was altered, or one before it was.` };
    isHeadSeen ||= head === `${position}:${hash}`;
  }
  if (isHeadSeen) return { entries: position, head: `${position}:${previous.toString('hex')}` };
  return {
    wrong: `The published head ${head} is not in this file: entries were removed or rewritten.`,
  };
}

function readLine(line: string): readonly string[] {
  try {
    const fields: unknown = JSON.parse(line);
    return Array.isArray(fields) && fields.length === 9 ? fields.map(String) : [];
  } catch {
    return [];
  }
}

if (import.meta.main) {
  const [file = '', head] = process.argv.slice(2);
  if (head !== undefined && !isHead(head)) {
    process.stderr.write(`${head} is no published head: POSITION:HASH, the hash with 64 digits.\n`);
    process.exit(2);
  }
  const result = await verifyExport(createInterface({ input: createReadStream(file) }), head);
  if ('wrong' in result) {
    process.stderr.write(`${result.wrong}\n`);
    process.exitCode = 1;
  } else
    process.stdout.write(
      `${result.entries} entries are as they were recorded. Head ${result.head}\n`,
    );
}
