import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { AccountId } from '../../platform/ids.ts';
import type { Database } from '../../platform/postgres.ts';
import type { AccountFile } from './account-file.ts';
import { type AccountImage, type ImageKind, readImage } from './images.ts';
import { type AccountFileProblem, readAccountFile } from './read-account-file.ts';
import { type Account, findAccountBySubdomain, saveAccount } from './store.ts';

export type ApplyOutcome =
  | {
      readonly ok: true;
      readonly accountId: AccountId;
      readonly isNew: boolean;
      readonly file: AccountFile;
    }
  | { readonly ok: false; readonly problems: readonly AccountFileProblem[] };

/**
 * Reads an account file with its images and creates or updates the account, completely or not at all. What the file
 * leaves out stays as it was.
 */
export async function applyAccountFile(database: Database, path: string): Promise<ApplyOutcome> {
  let json: unknown;
  try {
    const source = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
    json = parseJson(source);
  } catch (error) {
    const message = error instanceof SyntaxError ? error.message : 'cannot be read';
    return { ok: false, problems: [{ at: '', message }] };
  }
  const given = json as Partial<Record<string, unknown>> | null;
  const subdomain = given?.subdomain;
  const known =
    typeof subdomain === 'string'
      ? await findAccountBySubdomain(database.system, subdomain)
      : undefined;
  const read = readAccountFile(json, known && { ...listSettings(known), ...known.settings });
  if (!read.ok) return read;

  const images: Partial<Record<ImageKind, AccountImage | null>> = {};
  for (const kind of ['logo', 'background'] as const satisfies readonly ImageKind[]) {
    const name = read.file[kind];
    if (name === null) {
      if (given?.[kind] === null) images[kind] = null;
      continue;
    }
    const bytes = await readFile(resolve(dirname(path), name)).catch(() => null);
    const image =
      bytes === null ? `names ${name}, which cannot be read` : await readImage(kind, bytes);
    if (typeof image === 'string') return { ok: false, problems: [{ at: kind, message: image }] };
    images[kind] = image;
  }

  const saved = await database.transaction((tx) => saveAccount(tx, read.file, images));
  return { ok: true, ...saved, file: read.file };
}

/**
 * The account as a file that {@link applyAccountFile} applies without any change. Images are left out, and so is the secret
 * key of reCAPTCHA: what a file leaves out stays.
 */
export function writeAccountFile(account: Account): Record<string, unknown> {
  const { recaptcha, ...settings } = account.settings;
  return {
    ...listSettings(account),
    ...settings,
    recaptcha: recaptcha && { site_key: recaptcha.site_key },
  };
}

/** The settings that have a column or table of their own. */
function listSettings({ subdomain, name, county, state, timeZone, languages }: Account): object {
  return { subdomain, name, county, state, time_zone: timeZone, languages };
}

/** @throws {SyntaxError} whose message names the line */
function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch (error) {
    const { message } = error as SyntaxError;
    const position = /at position (\d+)/.exec(message)?.[1];
    const line =
      position === undefined
        ? source.trimEnd().split('\n').length
        : source.slice(0, Number(position)).split('\n').length;
    throw new SyntaxError(
      `is not valid JSON: line ${line}. Look for a missing comma, quotation mark or bracket there or just above.`,
    );
  }
}
