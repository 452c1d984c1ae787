import type { SettingColumn, SettingField } from '@ballot-beacon/contract/office/settings';
import type * as z from 'zod/mini';
import { AccountFile } from './account-file.ts';
import { settingDocs, shapeOf, unwrap } from './setting.ts';

/** A setting as a form shows it, without a value. */
type Field = Omit<SettingField, 'value'>;
type Control = Pick<Field, 'control' | 'options' | 'columns'>;

/** What a form cannot change: the subdomain is part of every link, and images are no text. */
const elsewhere = ['subdomain', 'logo', 'background'];

/** Every setting of an account file, from its schema; groups of settings are taken apart unless they may be missing. */
export function listSettingFields(): Field[] {
  return Object.entries(AccountFile.shape)
    .filter(([name]) => !elsewhere.includes(name))
    .flatMap(([name, schema]) => describe(name, schema, fallbackOf(schema)));
}

function describe(at: string, schema: z.core.$ZodType, fallback: unknown): Field[] {
  const shape = shapeOf(schema);
  const isOptional = isNullable(schema);
  if (shape && !isOptional)
    return Object.entries(shape).flatMap(([key, one]) =>
      describe(`${at}.${key}`, one, (fallback as Readonly<Record<string, unknown>>)[key]),
    );
  return [{ at, ...controlOf(schema), is_optional: isOptional, fallback: fallback ?? null }];
}

function controlOf(schema: z.core.$ZodType): Control {
  const { def } = (unwrap(schema) as z.core.$ZodTypes)._zod;
  const plain = (control: Field['control'], columns: SettingColumn[] = []): Control => ({
    ...{ control, options: [], columns },
  });
  if (def.type === 'array') {
    const shape = shapeOf(def.element);
    if (shape) return plain('rows', columnsOf(shape));
    const element = columnOf('value', def.element);
    return element.control === 'choice'
      ? { control: 'choices', options: element.options, columns: [] }
      : plain('list', [element]);
  }
  if (def.type === 'record') {
    const shape = shapeOf(def.valueType);
    const values = shape ? columnsOf(shape) : [columnOf('value', def.valueType)];
    return plain('table', [columnOf('name', def.keyType), ...values]);
  }
  if (def.type === 'object') return plain('group', columnsOf(def.shape));
  if (def.type === 'union' && 'discriminator' in def)
    return plain('group', columnsOfKinds(def.options.map((one) => shapeOf(one) ?? {})));
  const { control, options } = columnOf('value', schema);
  return { control, options, columns: [] };
}

function columnsOf(shape: z.core.$ZodShape): SettingColumn[] {
  return Object.entries(shape).map(([name, schema]) => columnOf(name, schema));
}

/** Groups of which each has a `kind`: the kind, then every other setting with the kinds that have it. */
function columnsOfKinds(shapes: readonly z.core.$ZodShape[]): SettingColumn[] {
  const columns = new Map<string, SettingColumn>();
  const kinds = shapes.map(({ kind }) => optionsOf(kind as z.core.$ZodType)[0] ?? '');
  columns.set('kind', {
    ...{ name: 'kind', control: 'choice', options: kinds, is_optional: true, only_for: [] },
  });
  for (const [at, { kind: _, ...shape }] of shapes.entries())
    for (const [name, schema] of Object.entries(shape)) {
      const known = columns.get(name) ?? columnOf(name, schema);
      columns.set(name, { ...known, only_for: [...known.only_for, kinds[at] ?? ''] });
    }
  return [...columns.values()];
}

function columnOf(name: string, schema: z.core.$ZodType): SettingColumn {
  const { def } = (unwrap(schema) as z.core.$ZodTypes)._zod;
  const of = { name, options: optionsOf(schema), is_optional: isNullable(schema), only_for: [] };
  if (def.type === 'boolean') return { ...of, control: 'switch' };
  if (def.type === 'number') return { ...of, control: 'number' };
  if (def.type === 'enum') return { ...of, control: 'choice' };
  // As the table of settings says it, too.
  const isTime = settingDocs.get(schema)?.value?.startsWith('time, ') === true;
  return { ...of, control: isTime ? 'time' : 'text' };
}

function optionsOf(schema: z.core.$ZodType): string[] {
  const { def } = (unwrap(schema) as z.core.$ZodTypes)._zod;
  if (def.type === 'enum') return Object.values(def.entries).map(String);
  return def.type === 'literal' ? def.values.map(String) : [];
}

function isNullable(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'nullable') return true;
  return def.type === 'default' && isNullable(def.innerType);
}

function fallbackOf(schema: z.core.$ZodType): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'default' ? def.defaultValue : undefined;
}
