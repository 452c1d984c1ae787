import type * as z from 'zod/mini';
import { AccountFile } from './account-file.ts';
import { settingDocs, shapeOf, unwrap } from './setting.ts';

interface Row {
  /** Dotted: `quiet_hours.start`, `feeds.FORMAT.every_hours`. */
  readonly name: string;
  readonly value: string;
  readonly isRequired: boolean;
  /** '' where there is none of its own. */
  readonly fallback: string;
  readonly meaning: string;
}

/**
 * docs/account-file.md, written from the schema by `npm run docs`.
 *
 * @throws when a setting has no entry in {@link settingDocs}
 */
export function writeAccountFilePage(): string {
  const rows = Object.entries(AccountFile.shape).flatMap(([name, schema]) =>
    describeSetting(name, schema),
  );
  const required = rows.filter(({ isRequired }) => isRequired);
  const optional = rows.filter(({ isRequired }) => !isRequired);
  return `# The account file

<!-- Written by \`npm run docs\` from server/src/modules/accounts/account-file.ts. Change that file instead. -->

An account file is JSON and describes one election office. \`beacon account apply FILE\` creates the account or changes it; \`beacon account show --account S\` prints it as such a file.

- A setting that the file leaves out stays as it was. A setting that is \`null\` goes back to its default.
- Inside a group, such as \`quiet_hours\`, the same is true for each of its settings. Lists, and tables such as \`feeds\`, are replaced as a whole.
- A key that is not listed here is refused, so that a typing mistake is never ignored. Nothing is changed until the whole file is right.
- \`beacon account show\` prints neither images nor the secret key of \`recaptcha\`. Both stay when its output is applied.
- To change the subdomain, use \`beacon account rename OLD NEW\`; to remove an account that has no voters, elections or files, \`beacon account remove SUBDOMAIN\`.

## Required for a new account

| Setting | Value | Meaning |
|---|---|---|
${required.map(({ name, value, meaning }) => `| \`${name}\` | ${value} | ${meaning} |`).join('\n')}

## Optional

| Setting | Value | Default | Meaning |
|---|---|---|---|
${optional.map(({ name, value, fallback, meaning }) => `| \`${name}\` | ${value} | ${fallback} | ${meaning} |`).join('\n')}

## An example

\`\`\`json
{
  "subdomain": "adams",
  "name": "Adams County Elections",
  "county": "Adams",
  "state": "WA",
  "time_zone": "America/Los_Angeles",
  "languages": ["english", "spanish"],
  "logo": "logo.svg",
  "contact_phone": "(509) 555-0100",
  "quiet_hours": { "start": "09:00", "end": "20:00" }
}
\`\`\`
`;
}

/** The setting's row, and below it those of the settings in it. */
function describeSetting(
  name: string,
  schema: z.core.$ZodType,
  group?: { readonly defaults: unknown },
): Row[] {
  const docs = settingDocs.get(schema);
  if (!docs) throw new Error(`settingDocs has no entry for ${name}.`);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const inner = unwrap(schema) as z.core.$ZodTypes;
  const hasDefault = def.type === 'default';
  const fallback = hasDefault ? def.defaultValue : undefined;
  const isGroup = shapeOf(schema) !== undefined;
  const nested = (prefix: string, shape: z.core.$ZodShape | undefined) =>
    Object.entries(shape ?? {}).flatMap(([key, one]) =>
      describeSetting(`${prefix}.${key}`, one, {
        defaults: (fallback as Record<string, unknown> | null | undefined)?.[key],
      }),
    );
  return [
    {
      name,
      value: docs.value ?? describeType(schema),
      isRequired: !hasDefault && group === undefined,
      fallback: isGroup && fallback !== null ? '' : showDefault(fallback ?? group?.defaults),
      meaning: docs.meaning,
    },
    ...nested(name, shapeOf(schema)),
    ...(inner._zod.def.type === 'record'
      ? nested(`${name}.FORMAT`, shapeOf(inner._zod.def.valueType))
      : []),
    ...(inner._zod.def.type === 'array'
      ? nested(`${name}[]`, shapeOf(inner._zod.def.element))
      : []),
  ];
}

function describeType(schema: z.core.$ZodType): string {
  const { def } = (unwrap(schema) as z.core.$ZodTypes)._zod;
  if (def.type === 'boolean') return '`true` or `false`';
  if (def.type === 'object') return 'group of settings';
  if (def.type === 'enum')
    return Object.values(def.entries)
      .map((one) => `\`${one}\``)
      .join(', ');
  if (def.type === 'array') {
    const of = describeType(def.element);
    return of === 'group of settings' ? 'list of groups of settings' : `list of ${of}`;
  }
  throw new Error(`A setting of type ${def.type} needs a value in settingDocs.`);
}

function showDefault(value: unknown): string {
  if (value === undefined) return '';
  if (value === null || value === '') return 'none';
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((one) => `\`${one}\``).join(', ');
  const isEmpty = typeof value === 'object' && Object.keys(value as object).length === 0;
  return isEmpty ? 'none' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
