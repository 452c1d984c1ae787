import {
  type ColumnDef,
  createSortedRowModel,
  type RowData,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type ReactNode, useMemo } from 'react';
import { useAddressFilter } from './address-filter.ts';
import { useAddressSort } from './address-sort.ts';
import { Scroll } from './scroll.tsx';
import { SortHeader } from './sort-header.tsx';

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

/** What a column is sorted by: days and instants as ISO 8601; null for nothing, which comes last either way. */
type SortKey = string | number | null;

interface SortedColumn<Row> {
  readonly id: string;
  readonly name: string;
  /** Left out of a column by which nobody sorts. */
  readonly sortKey?: (row: Row) => SortKey;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumber?: boolean;
  /** What a row is about. */
  readonly isRowHeader?: boolean;
}

/** A whole list as a table that a person sorts by any column; by which, is in the address. */
export function SortedTable<Row extends RowData>({
  label,
  path,
  rows,
  columns,
  keyOf,
  sortName,
  className,
}: {
  readonly label: string;
  /** The address of the screen. */
  readonly path: string;
  readonly rows: readonly Row[];
  readonly columns: readonly SortedColumn<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Of a table that is not the only one of its screen. */
  readonly sortName?: string;
  readonly className?: string;
}) {
  const { sort, directionOf, turn } = useAddressSort(useAddressFilter(path), { name: sortName });
  const defined = useMemo(() => columns.map(define), [columns]);
  const isKnown = columns.some(({ id, sortKey }) => id === sort?.column && sortKey);
  const table = useTable({
    features,
    columns: defined,
    data: rows,
    getRowId: keyOf,
    state: { sorting: sort && isKnown ? [{ id: sort.column, desc: sort.isDescending }] : [] },
  });
  const sorted = table.getRowModel().rows.map(({ original }) => original);
  return (
    <Scroll label={label} {...(className && { className })}>
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ id, name, isNumber = false, sortKey }) =>
              sortKey ? (
                <SortHeader
                  key={id}
                  {...{ name, isNumber }}
                  direction={directionOf(id)}
                  onSort={() => turn(id)}
                />
              ) : (
                <th key={id} scope="col" className={isNumber ? 'number' : undefined}>
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ id, cell, isNumber, isRowHeader }) =>
                isRowHeader ? (
                  <th key={id} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={id} className={isNumber ? 'number' : undefined}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function define<Row extends RowData>({
  id,
  sortKey,
}: SortedColumn<Row>): ColumnDef<typeof features, Row> {
  return {
    id,
    accessorFn: (row) => sortKey?.(row) ?? undefined,
    sortUndefined: 'last',
    sortFn: (a, b) => compare(a.getValue(id), b.getValue(id)),
  };
}

function compare(one: SortKey, other: SortKey): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other), 'en-US', { numeric: true });
}
