import * as z from 'zod/mini';

export interface SettingDocs {
  /** What may be written, where the schema's type does not say it: "a time, such as 08:00". */
  readonly value?: string;
  readonly meaning: string;
}

/** What docs/account-file.md says about each setting; a setting without an entry fails the test of that page. */
export const settingDocs = z.registry<SettingDocs>();

/** A schema with its entry in {@link settingDocs}. */
export function setting<Schema extends z.core.$ZodType>(
  schema: Schema,
  meaning: string,
  value?: string,
): Schema {
  settingDocs.add(schema, value === undefined ? { meaning } : { meaning, value });
  return schema;
}

/** The schema inside the wrappers that give a default or allow null. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema as z.core.$ZodTypes;
  while (inner._zod.def.type === 'default' || inner._zod.def.type === 'nullable')
    inner = inner._zod.def.innerType as z.core.$ZodTypes;
  return inner;
}

/** The settings of a schema that is an object with named settings; undefined for every other schema. */
export function shapeOf(schema: z.core.$ZodType): z.core.$ZodShape | undefined {
  const inner = unwrap(schema) as z.core.$ZodTypes;
  return inner._zod.def.type === 'object' ? inner._zod.def.shape : undefined;
}
