import { t } from '../words/index.ts';

export type Direction = 'ascending' | 'descending';

const arrows: Readonly<Record<Direction, string>> = { ascending: '↑', descending: '↓' };

/** The head of a column by which its table is sorted, or can be. */
export function SortHeader({
  name,
  direction,
  isNumber = false,
  onSort,
}: {
  readonly name: string;
  /** Left out while the table is sorted by another column. */
  readonly direction: Direction | undefined;
  readonly isNumber?: boolean;
  readonly onSort: () => void;
}) {
  return (
    <th scope="col" aria-sort={direction} className={isNumber ? 'number' : undefined}>
      <button type="button" className="sort" title={t('table.sort')} onClick={onSort}>
        {name}
        <span aria-hidden="true"> {direction ? arrows[direction] : '↕'}</span>
      </button>
    </th>
  );
}
