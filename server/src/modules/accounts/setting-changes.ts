import { isDeepStrictEqual } from 'node:util';
import { listSettingFields } from './setting-fields.ts';

/** A setting before and after a change, as an account file has it, without secrets. */
export interface SettingChange {
  /** Dotted: `quiet_hours.start`. */
  readonly at: string;
  readonly from: unknown;
  readonly to: unknown;
}

type Settings = Readonly<Record<string, unknown>>;

/** What differs between two whole account files, in the order of the file. */
export function listChanges(before: object, after: object): SettingChange[] {
  return listSettingFields().flatMap(({ at }) => {
    const [from, to] = [readSetting(before, at), readSetting(after, at)];
    if (isDeepStrictEqual(from, to)) return [];
    return [{ at, from: withoutSecrets(from), to: withoutSecrets(to, from) }];
  });
}

/** Changes as the audit keeps them, by the name of the setting. */
export function detailChanges(
  changes: readonly SettingChange[],
): Readonly<Record<string, Omit<SettingChange, 'at'>>> {
  return Object.fromEntries(changes.map(({ at, from, to }) => [at, { from, to }]));
}

/** @param at dotted */
export function readSetting(settings: object, at: string): unknown {
  return at
    .split('.')
    .reduce<unknown>((value, key) => (value as Settings | null | undefined)?.[key], settings);
}

/** A secret is never shown, only that it is another one than before. */
export function withoutSecrets(value: unknown, before?: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('secret_key' in value)) return value;
  const { secret_key: secret, ...rest } = value;
  const known = (before as Settings | null | undefined)?.secret_key;
  return before === undefined || known === secret ? rest : { ...rest, secret_key: 'new' };
}
