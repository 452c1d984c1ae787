import type { useAddressFilter } from './address-filter.ts';
import type { Direction } from './sort-header.tsx';

type Filter = ReturnType<typeof useAddressFilter>;

/** By which column a table is sorted. */
interface Sort {
  readonly column: string;
  readonly isDescending: boolean;
}

/**
 * The sorting of a table, in the address of its screen: `sort=name`, or `sort=-name` for descending. As in spreadsheets, the
 * column in use is turned around, and another begins ascending.
 */
export function useAddressSort(
  filter: Filter,
  {
    name = 'sort',
    usual,
  }: {
    /** Of the table on a screen with several. */
    readonly name?: string | undefined;
    /** Without a choice. */
    readonly usual?: Sort;
  },
) {
  const written = filter.valueOf(name);
  const sort: Sort | undefined =
    written === ''
      ? usual
      : { column: written.replace(/^-/, ''), isDescending: written.startsWith('-') };
  return {
    sort,
    directionOf: (column: string): Direction | undefined => {
      if (sort?.column !== column) return undefined;
      return sort.isDescending ? 'descending' : 'ascending';
    },
    turn: (column: string) => {
      const isDescending = sort?.column === column && !sort.isDescending;
      filter.change(name, `${isDescending ? '-' : ''}${column}`);
    },
  };
}

/** The order of a list that pages by key, in the address of its screen: newest first, or `order=oldest`. */
export function useAddressOrder(filter: Filter): {
  readonly direction: Direction;
  readonly turn: () => void;
} {
  const isOldest = filter.valueOf('order') === 'oldest';
  return {
    direction: isOldest ? 'ascending' : 'descending',
    turn: () => filter.change('order', isOldest ? '' : 'oldest'),
  };
}
