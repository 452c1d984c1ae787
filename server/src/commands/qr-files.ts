import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { drawQrPng, drawQrSvg } from '../modules/ballots/index.ts';
import { type QrSheet, writeCodeTable } from '../modules/qr-codes/index.ts';
import { CommandError } from './context.ts';

export interface QrFileOptions {
  readonly format: 'csv' | 'png' | 'svg';
  readonly out: string;
}

/**
 * Writes codes to a table, or to a drawing each, readable for their owner alone.
 *
 * @returns how many
 * @throws {CommandError} when the path cannot be written
 */
export async function writeQrFiles<Code>(
  { format, out }: QrFileOptions,
  codes: AsyncIterable<Code> | Iterable<Code>,
  sheet: QrSheet<Code>,
): Promise<number> {
  try {
    return await (format === 'csv'
      ? writeTable(out, codes, sheet)
      : writeDrawings(out, format, codes, sheet));
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new CommandError(`${out} cannot be written: ${error.message}`);
  }
}

/** A disk without room: such an error of an open file names no path. */
const diskFull: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error && 'syscall' in error)) return false;
  return 'path' in error || diskFull.has((error as NodeJS.ErrnoException).code);
}

async function writeTable<Code>(
  path: string,
  codes: AsyncIterable<Code> | Iterable<Code>,
  sheet: QrSheet<Code>,
): Promise<number> {
  const file = await open(path, 'w', 0o600);
  const isFile = (await file.stat()).isFile();
  let count = 0;
  const cellsOf = (code: Code) => {
    count += 1;
    return sheet.cellsOf(code);
  };
  const table = writeCodeTable(codes, { ...sheet, cellsOf });
  try {
    await pipeline(Readable.from(table), file.createWriteStream());
  } catch (error) {
    // The codes in it were not made.
    if (isFile) await rm(path, { force: true });
    throw error;
  }
  return count;
}

async function writeDrawings<Code>(
  folder: string,
  format: 'png' | 'svg',
  codes: AsyncIterable<Code> | Iterable<Code>,
  { urlOf, nameOf }: QrSheet<Code>,
): Promise<number> {
  await mkdir(folder, { recursive: true });
  let count = 0;
  for await (const code of codes) {
    const name = nameOf(code)
      .filter((part) => part !== '')
      .map((part) => part.replaceAll(/[^\w-]/g, '_'))
      .join('-');
    const drawing = format === 'png' ? drawQrPng(urlOf(code)) : drawQrSvg(urlOf(code));
    await writeFile(join(folder, `${name}.${format}`), drawing, { mode: 0o600 });
    count += 1;
  }
  return count;
}
