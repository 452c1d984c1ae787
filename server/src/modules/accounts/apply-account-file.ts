import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type ImageKind, imageKinds } from '@ballot-beacon/contract/office/images';
import type { AccountId } from '../../platform/ids.ts';
import type { Database, Tx } from '../../platform/postgres.ts';
import { parseWrittenJson } from '../../platform/written-json.ts';
import { decodeWritten } from '../../platform/written-text.ts';
import type { AccountFile } from './account-file.ts';
import { type AccountImage, readImage } from './images.ts';
import { type AccountFileProblem, readAccountFile } from './read-account-file.ts';
import { offeredChannels } from './rules.ts';
import { listChanges, type SettingChange } from './setting-changes.ts';
import { type Account, findAccountBySubdomain, lockAccount, saveAccount } from './store.ts';

export type ApplyOutcome =
  | {
      readonly ok: true;
      readonly accountId: AccountId;
      readonly isNew: boolean;
      readonly file: AccountFile;
      /** Of an account that there was; images are not among it. */
      readonly changes: readonly SettingChange[];
      /** The channels that an account offered which there was. */
      readonly offeredBefore: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly AccountFileProblem[] };

/**
 * Reads an account file with its images and creates or updates the account, completely or not at all. What the file
 * leaves out stays as it was.
 */
export async function applyAccountFile(database: Database, path: string): Promise<ApplyOutcome> {
  let json: unknown;
  try {
    json = parseWrittenJson(decodeWritten(await readFile(path)));
  } catch (error) {
    const message = error instanceof SyntaxError ? error.message : 'cannot be read';
    return { ok: false, problems: [{ at: '', message }] };
  }
  return database.transaction((tx) => applySettings(tx, json, dirname(path)));
}

async function applySettings(tx: Tx, json: unknown, directory: string): Promise<ApplyOutcome> {
  const given = json as Partial<Record<string, unknown>> | null;
  const known = await lockKnown(tx, given?.subdomain);
  const read = readAccountFile(json, known && settingsOf(known));
  if (!read.ok) return read;

  const images: Partial<Record<ImageKind, AccountImage | null>> = {};
  for (const kind of imageKinds) {
    const name = read.file[kind];
    if (name === null) {
      if (given?.[kind] === null) images[kind] = null;
      continue;
    }
    const bytes = await readFile(resolve(directory, name)).catch(() => null);
    const image =
      bytes === null ? `names ${name}, which cannot be read` : await readImage(kind, bytes);
    if (typeof image === 'string') return { ok: false, problems: [{ at: kind, message: image }] };
    images[kind] = image;
  }

  const saved = await saveAccount(tx, read.file, images);
  const changes = known ? listChanges(settingsOf(known), read.file) : [];
  const offeredBefore = known ? offeredChannels(known.settings) : [];
  return { ok: true, ...saved, file: read.file, changes, offeredBefore };
}

/** What the file leaves out is that of the save before, also of one at the same moment. */
async function lockKnown(tx: Tx, subdomain: unknown): Promise<Account | undefined> {
  if (typeof subdomain !== 'string') return undefined;
  const found = await findAccountBySubdomain(tx, subdomain);
  return found && lockAccount(tx, found.accountId);
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

/** Everything that an account file says, without images. */
export function settingsOf(account: Account): Omit<AccountFile, 'logo' | 'background'> {
  return { ...listSettings(account), ...account.settings };
}

/** The settings that have a column or table of their own. */
function listSettings({ subdomain, name, county, state, timeZone, languages }: Account) {
  return { subdomain, name, county, state, time_zone: timeZone, languages: [...languages] };
}
