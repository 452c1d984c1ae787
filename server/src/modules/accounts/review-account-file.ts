import { createHash } from 'node:crypto';
import type { ImageKind } from '@ballot-beacon/contract/office/images';
import type { SettingField } from '@ballot-beacon/contract/office/settings';
import { parseWrittenJson } from '../../platform/written-json.ts';
import type { AccountFile } from './account-file.ts';
import { settingsOf } from './apply-account-file.ts';
import { type AccountFileProblem, isPlainObject, readAccountFile } from './read-account-file.ts';
import { listChanges, readSetting, type SettingChange, withoutSecrets } from './setting-changes.ts';
import { listSettingFields } from './setting-fields.ts';
import type { Account } from './store.ts';

export type AccountReview =
  | {
      readonly ok: true;
      readonly file: AccountFile;
      readonly changes: readonly SettingChange[];
      /** Images that the file names, which a text cannot bring along. */
      readonly ignored: readonly ImageKind[];
    }
  | { readonly ok: false; readonly problems: readonly AccountFileProblem[] };

/** What an account file, or a part of one, would change in an account that there is. Images stay. */
export function reviewAccountFile(account: Account, source: string): AccountReview {
  let given: unknown;
  try {
    given = parseWrittenJson(source);
  } catch (error) {
    return { ok: false, problems: [{ at: '', message: (error as Error).message }] };
  }
  const current = settingsOf(account);
  if (!isPlainObject(given))
    return { ok: false, problems: [{ at: '', message: 'must be one JSON object' }] };
  const { logo, background, ...settings } = given;
  const { subdomain = account.subdomain } = settings;
  if (subdomain !== account.subdomain)
    return {
      ok: false,
      problems: [
        { at: 'subdomain', message: `must be ${account.subdomain}: this is another office’s file` },
      ],
    };
  const read = readAccountFile({ ...settings, subdomain }, current);
  if (!read.ok) return read;
  const images = Object.entries({ logo, background } satisfies Record<ImageKind, unknown>);
  return {
    ok: true,
    file: read.file,
    changes: listChanges(current, read.file),
    ignored: images.flatMap(([kind, image]) => (image == null ? [] : [kind as ImageKind])),
  };
}

/** The settings of an account as a form shows them. */
export function showSettings(account: Account): SettingField[] {
  const settings = settingsOf(account);
  return listSettingFields().map((field) => ({
    ...field,
    value: withoutSecrets(readSetting(settings, field.at)) ?? null,
  }));
}

/** Another text whenever a setting is another one. */
export function versionOf(account: Account): string {
  const text = JSON.stringify(settingsOf(account));
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
