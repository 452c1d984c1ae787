import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Router } from 'wouter';
import { useAddressFilter } from './address-filter.ts';
import { useAddressOrder, useAddressSort } from './address-sort.ts';

/** What a screen reads at this address. */
function readAt<T>(search: string, useAll: () => T): T {
  let found: T | undefined;
  const Screen = () => {
    found = useAll();
    return null;
  };
  const children = createElement(Screen);
  renderToStaticMarkup(createElement(Router, { ssrPath: '/voters', ssrSearch: search, children }));
  return found as T;
}
const filterAt = (search: string) => readAt(search, () => useAddressFilter('/voters'));

test('another filter begins at the first page, and an empty one leaves the address', () => {
  const search = '?name=ann&before=7&after=9';
  expect(filterAt(search).hrefOf('status', 'sent')).toBe('/voters?name=ann&status=sent');
  expect(filterAt('?name=ann&before=7').hrefOf('name', null)).toBe('/voters');
  expect(['name', 'status'].map(filterAt(search).valueOf)).toEqual(['ann', '']);
});

test('a column is turned around by a second press, and another begins from its start', () => {
  const pressed: string[] = [];
  const listAt = (search: string) =>
    readAt(search, () => {
      const change = (name: string, value: string) => void pressed.push(`${name}=${value}`);
      const filter = { ...useAddressFilter('/voters'), change };
      const usual = { column: 'deadline', isDescending: false };
      return { sort: useAddressSort(filter, { usual }), order: useAddressOrder(filter) };
    });
  for (const written of ['', '?sort=deadline', '?sort=-deadline']) {
    const { turn } = listAt(written).sort;
    turn('deadline');
    turn('voter');
  }
  expect(pressed.splice(0)).toEqual([
    ...['sort=-deadline', 'sort=voter', 'sort=-deadline', 'sort=voter'],
    ...['sort=deadline', 'sort=voter'],
  ]);
  const { directionOf } = listAt('?sort=-voter').sort;
  expect([directionOf('voter'), directionOf('deadline')]).toEqual(['descending', undefined]);
  listAt('').order.turn();
  listAt('?order=oldest').order.turn();
  expect(pressed).toEqual(['order=oldest', 'order=']);
});
