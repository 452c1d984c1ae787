import * as z from 'zod/mini';

/** The name of a column, as a format writes it. */
export const column = z.string().check(z.minLength(1));

const Join = z.strictObject({
  join: z.array(column).check(z.minLength(1)),
  with: z._default(z.string(), ' '),
});

/**
 * Where a field's value comes from: a column, a column whose values stand for others, columns joined by a text, the
 * first of several that has a usable value, the latest of several dates, or one text for every row.
 */
export const Source = z.union([
  column,
  /** A value that `values` lacks is taken as it is. */
  z.strictObject({ column, values: z.record(z.string(), z.string()) }),
  Join,
  z.strictObject({ first: z.array(z.union([column, Join])).check(z.minLength(1)) }),
  z.strictObject({ latest: z.array(column).check(z.minLength(2)) }),
  z.strictObject({ constant: z.string() }),
]);
export type Source = z.infer<typeof Source>;

/** A test of one column's value; case and extra spaces do not matter. */
export const Condition = z.union([
  z.string(),
  z.array(z.string()),
  z.strictObject({ contains: z.union([z.string(), z.array(z.string())]) }),
  z.strictObject({ starts_with: z.string() }),
  z.strictObject({ filled: z.boolean() }),
  /** The column's date is later than that of another column, which may be empty. */
  z.strictObject({ later_than: column }),
]);
export type Condition = z.infer<typeof Condition>;

/** Other columns that a condition looks at. */
export function comparedColumns(condition: Condition): readonly string[] {
  return typeof condition === 'object' && 'later_than' in condition ? [condition.later_than] : [];
}

/** The columns a source draws on, in order. */
export function columnsOf(source: Source): readonly string[] {
  if (typeof source === 'string') return [source];
  if ('column' in source) return [source.column];
  if ('join' in source) return source.join;
  if ('first' in source) return source.first.flatMap(columnsOf);
  if ('latest' in source) return source.latest;
  return [];
}
