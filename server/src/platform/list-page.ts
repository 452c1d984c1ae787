import { type RawBuilder, sql } from 'kysely';

/** A page of a list by key, as the contract's `listPage` describes it. */
export interface ListPage {
  readonly order?: 'newest' | 'oldest' | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** The conditions that keep to the page. @param key a number that grows with each row */
export function withinPage(key: RawBuilder<unknown>, { before, after }: ListPage) {
  return [
    ...(before === undefined ? [] : [sql`${key} < ${before}`]),
    ...(after === undefined ? [] : [sql`${key} > ${after}`]),
  ];
}

/** What stands behind `order by`. */
export function inOrder(key: RawBuilder<unknown>, { order }: ListPage): RawBuilder<unknown> {
  return order === 'oldest' ? sql`${key} asc` : sql`${key} desc`;
}
