import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Counts, Notes } from './report-panels.tsx';

const counts = [
  { name: '217 sent', before: 3, after: 1 },
  { name: 'General 2026 accepted', before: 0, after: 2 },
];

test.for([
  ['ballots', 'On record'],
  ['scans', 'Ballots that move'],
] as const)('the table of a file of %s says what it counts: %s', ([kind, heading]) => {
  const table = renderToStaticMarkup(
    createElement(Counts, { report: { counts, holds: kind }, after: 'file.counts.after' }),
  );
  expect(table).toContain(`<th scope="col">${heading}</th>`);
});

test('a status is named with the election that it is counted of, and voters by what they are', () => {
  const rolls = [{ name: 'inactive', before: 0, after: 20 }];
  const namesOf = (of: typeof counts) =>
    [
      ...renderToStaticMarkup(
        createElement(Counts, {
          report: { counts: of, holds: 'ballots' },
          after: 'file.counts.after',
        }),
      ).matchAll(/<th scope="row">([^<]*)/g),
    ].map(([, name]) => name);
  expect(namesOf(counts)).toEqual([
    'Election 217: Mailed to the voter',
    'Election General 2026: Accepted',
  ]);
  expect(namesOf(rolls)).toEqual(['inactive']);
});

test('every column that nobody reads is named, and nothing is noted where there is nothing', () => {
  const nothing = { unknown_statuses: [], warnings: [], unknown_columns: [] };
  const read = (report: Parameters<typeof Notes>[0]['report']) =>
    renderToStaticMarkup(createElement(Notes, { report }));
  expect(read({ ...nothing, unknown_columns: ['POLL', 'WARD'] })).toContain(
    '<li>Columns not used: POLL, WARD</li>',
  );
  expect(read(nothing)).toBe('');
});
