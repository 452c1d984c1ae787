import { settingGroups } from '@ballot-beacon/contract/office/settings';
import { expect, test } from 'vitest';
import { settings as words } from '../office/src/words/settings.ts';
import { listSettingFields } from '../server/src/modules/accounts/index.ts';

const fields = listSettingFields();
/** Whose options have names elsewhere. */
const named = ['languages', 'notifying_statuses', 'delivery_types'];

test('each setting of an account file is in one group of the console, and has a name and a line of help', () => {
  const grouped: string[] = Object.values(settingGroups).flat();
  expect(new Set(grouped).size).toBe(grouped.length);
  const names = new Set(fields.map(({ at }) => at.split('.')[0] ?? ''));
  expect([...grouped].sort()).toEqual([...names].sort());
  const needed = fields.flatMap(({ at }) => [`setting.name.${at}`, `setting.help.${at}`]);
  expect(needed.length).toBeGreaterThan(100);
  expect(needed.filter((key) => !Object.hasOwn(words, key))).toEqual([]);
});

test('each part of a setting, and each value to choose, has a name', () => {
  const columns = fields.flatMap(({ at, control, columns }) =>
    control === 'list' ? [] : columns.map(({ name }) => `setting.column.${at}.${name}`),
  );
  const options = fields
    .filter(({ at }) => !named.includes(at))
    .flatMap((field) => [...field.options, ...field.columns.flatMap((column) => column.options)])
    .map((option) => `setting.option.${option}`);
  expect(columns.length).toBeGreaterThan(10);
  expect(options.length).toBeGreaterThan(4);
  expect([...columns, ...options].filter((key) => !Object.hasOwn(words, key))).toEqual([]);
});

test('no word is left of a setting that is gone', () => {
  const known = fields.flatMap(({ at, columns }) => [
    ...[`setting.name.${at}`, `setting.help.${at}`],
    ...columns.map(({ name }) => `setting.column.${at}.${name}`),
  ]);
  const written = Object.keys(words).filter((key) => /^setting\.(name|help|column)\./.test(key));
  expect(written.filter((key) => !known.includes(key))).toEqual([]);
});
