import * as z from 'zod/mini';

const asDay = 'Write a day as YYYY-MM-DD.';

/** The first or the last day of a list, in the office's time zone: `YYYY-MM-DD`, in a century that the database has. */
export const FilterDay = z.optional(z.iso.date(asDay).check(z.regex(/^(?:19|20)/, asDay)));

/** The number of a row, as it stands in an address. */
export const RowId = z.coerce
  .number()
  .check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER));
