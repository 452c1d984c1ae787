import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../words/index.ts';
import type { useAddressFilter } from './address-filter.ts';
import { Choice } from './choice.tsx';
import { DayField } from './day-field.tsx';
import { Loaded } from './loaded.tsx';
import { Pager } from './pager.tsx';

type Filter = ReturnType<typeof useAddressFilter>;

/** The fields of a list's filter: menus by the name of the filter's part, then the first and the last day. */
export function FilterFields({
  filter,
  menus,
  children,
}: {
  readonly filter: Filter;
  readonly menus: readonly {
    readonly name: string;
    readonly label: string;
    /** What the menu says while everything is listed. */
    readonly all: string;
    readonly options: readonly { readonly value: string; readonly name: string }[];
  }[];
  /** What stands after the fields. */
  readonly children?: ReactNode;
}) {
  return (
    <div className="panel card filters">
      {menus.map(({ name, label, all, options }) => (
        <Choice
          key={name}
          id={name}
          label={label}
          value={filter.valueOf(name)}
          options={[{ value: '', name: all }, ...options]}
          onChange={(value) => filter.change(name, value)}
        />
      ))}
      {(['from', 'to'] as const).map((name) => (
        <DayField
          key={name}
          id={name}
          label={t(`list.${name}`)}
          value={filter.valueOf(name)}
          onChange={(day) => filter.change(name, day, true)}
        />
      ))}
      {children}
    </div>
  );
}

/** A page of a list that is filtered in its address and paged by key; `none` says that nothing matches. */
export function ListPage<Answer extends { readonly next: number | null }>({
  filter,
  query,
  isEmpty,
  none,
  children,
}: {
  readonly filter: Filter;
  readonly query: UseQueryResult<Answer>;
  readonly isEmpty: (answer: Answer) => boolean;
  readonly none: string;
  readonly children: (answer: Answer) => ReactNode;
}) {
  return (
    <Loaded query={query}>
      {(answer) => (
        <>
          {isEmpty(answer) ? <p role="status">{none}</p> : children(answer)}
          <Pager filter={filter} next={answer.next} />
        </>
      )}
    </Loaded>
  );
}
