import type { SettingColumn, SettingField } from '@ballot-beacon/contract/office/settings';
import { expect, test } from 'vitest';
import { fileOf, repeatedNames, toTyped } from './state.ts';

function column(name: string, more: Partial<SettingColumn> = {}): SettingColumn {
  return { name, control: 'text', options: [], is_optional: false, only_for: [], ...more };
}

function field(
  control: SettingField['control'],
  value: unknown,
  more: Partial<SettingField> = {},
): SettingField {
  return {
    ...{ at: 'setting', control, options: [], columns: [], is_optional: false },
    ...{ value, fallback: null, ...more },
  };
}

const hours = [column('days'), column('open', { control: 'time' })];
const service = [
  column('kind', { control: 'choice', options: ['matomo', 'ga4'], is_optional: true }),
  column('url', { only_for: ['matomo'] }),
  column('when_signed_in', { control: 'switch', only_for: ['matomo', 'ga4'] }),
  column('measurement_id', { only_for: ['ga4'] }),
];
const direction = column('value', {
  ...{ control: 'choice', options: ['outbound', 'inbound'], is_optional: true },
});
const known: readonly SettingField[] = [
  field('text', 'Adams'),
  field('text', null, { is_optional: true }),
  field('time', '08:00'),
  field('number', 0),
  field('number', null, { is_optional: true }),
  field('switch', false),
  field('choice', 'masked', { options: ['none', 'masked'] }),
  field('choices', ['spanish', 'english'], { options: ['english', 'spanish'] }),
  field('list', ['fri', '2026-11-27'], { columns: [column('value')] }),
  field('rows', [{ days: 'mon-fri', open: '08:00' }], { columns: hours }),
  field(
    'table',
    { 'beacon-ballots': { every_hours: 26 } },
    {
      columns: [column('name'), column('every_hours', { control: 'number' })],
    },
  ),
  field('table', { '040': 'outbound', '777': null }, { columns: [column('name'), direction] }),
  field('group', null, { columns: service, is_optional: true }),
  field(
    'group',
    { kind: 'ga4', when_signed_in: true, measurement_id: 'G-1' },
    {
      ...{ columns: service, is_optional: true },
    },
  ),
];

test.each(known)('a $control that nobody touched is written as it was', (one) => {
  const written = JSON.parse(fileOf([one], { setting: toTyped(one) }));
  expect(written).toEqual({ setting: one.value });
});

test('a group that is emptied is none, and a secret that is left empty is left out', () => {
  const columns = [column('site_key'), column('secret_key')];
  const one = field('group', { site_key: 'a' }, { columns, is_optional: true });
  const write = (row: Record<string, string>) => JSON.parse(fileOf([one], { setting: [row] }));
  expect(write({ site_key: 'b', secret_key: '' })).toEqual({ setting: { site_key: 'b' } });
  expect(write({ site_key: 'b', secret_key: 'c' })).toEqual({
    setting: { site_key: 'b', secret_key: 'c' },
  });
  expect(write({ site_key: '', secret_key: '' })).toEqual({ setting: null });
  // Emptied, and said so.
  expect(write({ site_key: '', secret_key: 'c' })).toEqual({
    setting: { site_key: '', secret_key: 'c' },
  });
});

test.each([true, false])('a text that is emptied is none where it may be: %s', (isOptional) => {
  const one = field('text', 'Adams', { is_optional: isOptional });
  expect(JSON.parse(fileOf([one], { setting: ' ' }))).toEqual({ setting: isOptional ? null : '' });
});

test('only what was typed is written, in the groups of an account file', () => {
  const fields = [
    field('time', '08:00', { at: 'quiet_hours.start' }),
    field('time', '20:00', { at: 'quiet_hours.end' }),
    field('number', 730, { at: 'message_retention_days' }),
  ];
  const draft = { 'quiet_hours.start': '09:00', message_retention_days: 'ten' };
  expect(JSON.parse(fileOf(fields, draft))).toEqual({
    ...{ quiet_hours: { start: '09:00' }, message_retention_days: 'ten' },
  });
});

test('of a table the names are found that two rows have, but for rows that nobody has named yet', () => {
  const table = field(
    'table',
    {},
    { at: 'feeds', columns: [column('name'), column('every_hours')] },
  );
  const list = field('list', [], { at: 'closed_days', columns: [column('value')] });
  const rows = ['a', 'b', '', ' a', '', 'b ', 'c'].map((name) => ({ name }));
  const draft = { feeds: rows, closed_days: [{ value: 'fri' }, { value: 'fri' }] };
  expect(repeatedNames([table, list], draft)).toEqual([
    { at: 'feeds', name: 'a' },
    { at: 'feeds', name: 'b' },
  ]);
  const neighbors = { feeds: [{ name: 'a' }, { name: 'a' }] };
  expect(repeatedNames([table, list], neighbors)).toEqual([{ at: 'feeds', name: 'a' }]);
  expect(repeatedNames([table, list], {})).toEqual([]);
});
