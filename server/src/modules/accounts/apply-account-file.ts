import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { AccountId } from '../../platform/ids.ts';
import type { Database } from '../../platform/postgres.ts';
import { type AccountFile, type AccountFileProblem, readAccountFile } from './account-file.ts';
import { type AccountImage, type ImageKind, readImage } from './images.ts';
import { saveAccount } from './store.ts';

export type ApplyOutcome =
  | {
      readonly ok: true;
      readonly accountId: AccountId;
      readonly isNew: boolean;
      readonly file: AccountFile;
    }
  | { readonly ok: false; readonly problems: readonly AccountFileProblem[] };

/** Reads an account file with its images and creates or updates the account, completely or not at all. */
export async function applyAccountFile(database: Database, path: string): Promise<ApplyOutcome> {
  const refuse = (at: string, message: string): ApplyOutcome => ({
    ok: false,
    problems: [{ at, message }],
  });
  let json: unknown;
  try {
    json = JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
  } catch (error) {
    return refuse(
      '',
      error instanceof SyntaxError ? `is not JSON: ${error.message}` : 'cannot be read',
    );
  }
  const read = readAccountFile(json);
  if (!read.ok) return read;

  const images: AccountImage[] = [];
  for (const kind of ['logo', 'background'] as const satisfies readonly ImageKind[]) {
    const name = read.file[kind];
    if (name === null) continue;
    const bytes = await readFile(resolve(dirname(path), name)).catch(() => null);
    if (bytes === null) return refuse(kind, `names ${name}, which cannot be read`);
    const image = readImage(kind, bytes);
    if (typeof image === 'string') return refuse(kind, image);
    images.push(image);
  }

  const saved = await database.transaction((tx) => saveAccount(tx, read.file, images));
  return { ok: true, ...saved, file: read.file };
}
