import type { SettingColumn } from '@ballot-beacon/contract/office/settings';
import { useRef } from 'react';
import { Button } from '../../../../web/src/ui/button.tsx';
import { t } from '../../words/index.ts';
import { Cell } from './cell.tsx';
import { fieldName } from './describe.ts';
import { emptyRow, type Row } from './state.ts';

/** Rows that a person adds, fills in, takes away and, where their order counts, moves. */
export function Rows({
  at,
  columns,
  rows,
  isOrdered = false,
  newRow = emptyRow(columns),
  onChange,
}: {
  readonly at: string;
  readonly columns: readonly SettingColumn[];
  readonly rows: readonly Row[];
  readonly isOrdered?: boolean;
  readonly newRow?: Row;
  readonly onChange: (rows: readonly Row[]) => void;
}) {
  const name = fieldName(at);
  const list = useRef<HTMLDivElement>(null);
  const replace = (at: number, row: Row) =>
    onChange(rows.map((old, other) => (other === at ? row : old)));
  const moveUp = (at: number) => {
    const [above, row] = [rows[at - 1], rows[at]];
    if (above && row) onChange([...rows.slice(0, at - 1), row, above, ...rows.slice(at + 1)]);
  };
  const remove = (at: number) => {
    onChange(rows.filter((_, other) => other !== at));
    // The button that was pressed is gone.
    list.current?.querySelector<HTMLButtonElement>(':scope > button')?.focus();
  };
  return (
    <div className="setting-rows" ref={list}>
      {rows.map((row, position) => {
        const number = position + 1;
        return (
          <fieldset
            className="setting-row"
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name, and its inputs have no state of their own
            key={position}
            aria-label={t('settings.row', { number })}
          >
            {columns.map((column) => (
              <Cell
                key={column.name}
                id={`setting-${at}.${position}.${column.name}`}
                at={at}
                column={column}
                typed={row[column.name] ?? ''}
                onType={(value) => replace(position, { ...row, [column.name]: value })}
              />
            ))}
            {isOrdered && position > 0 && (
              <Button
                look="quiet"
                aria-label={t('settings.earlierOf', { number, name })}
                onClick={() => moveUp(position)}
              >
                {t('settings.earlier')}
              </Button>
            )}
            <Button
              look="quiet"
              aria-label={t('settings.removeRowOf', { number, name })}
              onClick={() => remove(position)}
            >
              {t('settings.removeRow')}
            </Button>
          </fieldset>
        );
      })}
      <Button
        aria-label={t('settings.addTo', { name })}
        onClick={() => onChange([...rows, newRow])}
      >
        {t('settings.add')}
      </Button>
    </div>
  );
}
