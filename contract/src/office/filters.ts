import * as z from 'zod/mini';

const asDay = 'Write a day as YYYY-MM-DD.';

/** The first or the last day of a list, in the office's time zone: `YYYY-MM-DD`, in a century that the database has. */
export const FilterDay = z.optional(z.iso.date(asDay).check(z.regex(/^(?:19|20)/, asDay)));

/** Which end of a list that pages by key comes first; the newest, if nothing is said. */
const ListOrder = z.optional(z.enum(['newest', 'oldest']));

/** The number of a row, as it stands in an address. */
export const RowId = z.coerce
  .number()
  .check(z.int(), z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER));

/** A page of a list by key: rows older than `before`, newer than `after`, from the end that `order` says. */
export const listPage = {
  order: ListOrder,
  before: z.optional(RowId),
  after: z.optional(RowId),
};
