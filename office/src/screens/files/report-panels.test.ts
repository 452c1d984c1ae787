import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Counts } from './report-panels.tsx';

const counts = [{ name: '217 sent', before: 3, after: 1 }];

test.for([
  ['ballots', 'On record'],
  ['scans', 'Ballots that move'],
] as const)('the table of a file of %s says what it counts: %s', ([kind, heading]) => {
  const table = renderToStaticMarkup(
    createElement(Counts, { report: { counts, holds: kind }, after: 'file.counts.after' }),
  );
  expect(table).toContain(`<th scope="col">${heading}</th>`);
});
