import type { SettingColumn, SettingField } from '@ballot-beacon/contract/office/settings';

/** What stands in a row's inputs, by the name of the column. */
export type Row = Readonly<Record<string, string | boolean>>;
/** What a person typed or chose for a setting. A `group` is one row. */
export type Typed = string | boolean | readonly string[] | readonly Row[];
/** What was typed since the settings were last saved, by the name of the setting. */
export type Draft = Readonly<Record<string, Typed>>;

type Values = Readonly<Record<string, unknown>>;

/** A setting's value as a form shows it. */
export function toTyped({ control, columns, value }: SettingField): Typed {
  if (control === 'switch') return value === true;
  if (control === 'choices') return (value ?? []) as string[];
  if (control === 'list') return ((value ?? []) as unknown[]).map((one) => ({ value: show(one) }));
  if (control === 'rows') return ((value ?? []) as Values[]).map((one) => toRow(columns, one));
  if (control === 'group') return [toRow(columns, (value ?? {}) as Values)];
  if (control === 'table')
    return Object.entries((value ?? {}) as Values).map(([name, under]) => ({
      ...toRow(
        columns,
        typeof under === 'object' && under !== null ? (under as Values) : { value: under },
      ),
      name,
    }));
  return show(value);
}

/** What was typed as an account file says it. Null is "none", or the default where there must be something. */
function toValue({ control, columns, is_optional: isOptional }: SettingField, typed: Typed) {
  const rows = typed as readonly Row[];
  if (control === 'switch' || control === 'choices') return typed;
  if (control === 'number') return toNumber(typed as string);
  if (control === 'list') return rows.map(({ value = '' }) => String(value).trim()).filter(Boolean);
  if (control === 'rows') return rows.map((row) => ofRow(columns, row));
  if (control === 'table') return ofTable(columns, rows);
  if (control === 'group') return ofGroup(columns, rows[0] ?? {});
  const text = (typed as string).trim();
  return text === '' && isOptional ? null : text;
}

/** What of a draft is not the same in another one. */
export function withoutSame(draft: Draft, other: Draft): Draft {
  const isOther = ([at, typed]: [string, Typed]) =>
    JSON.stringify(typed) !== JSON.stringify(other[at]);
  return Object.fromEntries(Object.entries(draft).filter(isOther));
}

/** By a table's name: what two of its rows are called, of which the file could have the later one alone. */
export function repeatedNames(
  fields: readonly SettingField[],
  draft: Draft,
): { readonly at: string; readonly name: string }[] {
  return fields.flatMap(({ at, control, columns: [key] }) => {
    if (control !== 'table' || !key) return [];
    const names = ((draft[at] ?? []) as readonly Row[]).map((row) => nameOf(row, key));
    return names
      .filter((name, row) => name !== '' && names.indexOf(name) < row)
      .map((name) => ({ at, name }));
  });
}

/** An account file of what was typed alone. */
export function fileOf(fields: readonly SettingField[], draft: Draft): string {
  return writeFile(
    fields.flatMap((field) => {
      const typed = draft[field.at];
      return typed === undefined ? [] : [{ at: field.at, value: toValue(field, typed) }];
    }),
  );
}

/** An account file with these values, by their dotted names. */
export function writeFile(values: readonly { readonly at: string; readonly value: unknown }[]) {
  const file: Record<string, unknown> = {};
  for (const { at, value } of values) {
    const path = at.split('.');
    const last = path.pop() ?? '';
    let group = file;
    for (const key of path) {
      group[key] ??= {};
      group = group[key] as Record<string, unknown>;
    }
    group[last] = value;
  }
  return JSON.stringify(file);
}

/** Columns that are filled in, by what the first one says. */
export function columnsFor(columns: readonly SettingColumn[], row: Row): readonly SettingColumn[] {
  const kind = columns[0] && row[columns[0].name];
  return columns.filter(
    ({ only_for: only }) => only.length === 0 || (typeof kind === 'string' && only.includes(kind)),
  );
}

export function emptyRow(columns: readonly SettingColumn[]): Row {
  return toRow(columns, {});
}

function toRow(columns: readonly SettingColumn[], values: Values): Row {
  return Object.fromEntries(
    columns.map(({ name, control, options, is_optional: isOptional }) => {
      if (control === 'switch') return [name, values[name] === true];
      const known = show(values[name]);
      return [
        name,
        control === 'choice' && !isOptional && known === '' ? (options[0] ?? '') : known,
      ];
    }),
  );
}

function ofRow(columns: readonly SettingColumn[], row: Row): Values {
  return Object.fromEntries(
    columnsFor(columns, row).map((column) => [column.name, ofCell(column, row[column.name] ?? '')]),
  );
}

function ofTable([key, ...columns]: readonly SettingColumn[], rows: readonly Row[]): Values {
  const [first] = columns;
  const isPlain = columns.length === 1 && first?.name === 'value';
  return Object.fromEntries(
    rows.map((row) => [
      key ? nameOf(row, key) : '',
      isPlain && first ? ofCell(first, row.value ?? '') : ofRow(columns, row),
    ]),
  );
}

function nameOf(row: Row, key: SettingColumn): string {
  return String(row[key.name] ?? '').trim();
}

/** Null where nothing is filled in. A secret is never shown, so an empty field leaves it as it is. */
function ofGroup(columns: readonly SettingColumn[], row: Row): Values | null {
  const values = Object.entries(ofRow(columns, row));
  if (values.every(([, value]) => value === '' || value === null || value === false)) return null;
  return Object.fromEntries(
    values.filter(([name, value]) => name !== 'secret_key' || value !== ''),
  );
}

function ofCell({ control, is_optional: isOptional }: SettingColumn, typed: string | boolean) {
  if (typeof typed === 'boolean') return typed;
  if (control === 'number') return toNumber(typed);
  const text = typed.trim();
  return text === '' && isOptional ? null : text;
}

/** What is no number stays text, which the server refuses at its field. */
function toNumber(typed: string): number | string | null {
  const text = typed.trim();
  if (text === '') return null;
  return Number.isNaN(Number(text)) ? text : Number(text);
}

function show(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}
