import type { LogAnswer } from '@ballot-beacon/contract/office/log';
import { expect, test } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import { LogScreen } from './index.tsx';

const listLog: LogAnswer = {
  entries: [
    {
      ...{ audit_id: 4, at: '2026-11-20T05:30:00Z', actor: 'person:7', who: 'Ada Wu' },
      ...{ action: 'file.import', target: 'roll.csv' },
      details: [
        { name: 'passedOver', value: '3' },
        { name: 'rows_refused', value: '0' },
      ],
    },
  ],
  next: 3,
};
const show = (at: string) => showScreen(<LogScreen />, { listLog }, { at });

test('an entry says when, by the office’s clock, who did what to what, and every detail in plain words', async () => {
  const { rows } = await show('/log');
  expect(rows[1]).toEqual([
    ...['Nov 19, 2026, 7:30 PM', 'Ada Wu', 'Imported a file', 'roll.csv'],
    'passed over: 3 rows refused: 0',
  ]);
});

test('a name leads to what this person did, from its first page on, and back to everybody', async () => {
  const { links } = await show('/log?area=files&before=9');
  expect(links['Only Ada Wu']).toBe('/office/log?area=files&actor=person%3A7');
  expect(links).toMatchObject({ Newest: '/office/log?area=files' });
  expect(links).not.toHaveProperty('Show everybody');
  expect((await show('/log?area=files')).links).not.toHaveProperty('Newest');
  const filtered = await show('/log?area=files&actor=person%3A7&before=9');
  expect(filtered.links['Show everybody']).toBe('/office/log?area=files');
});

test.each([
  ['before=9&from=2026-11-01', 'from=2026-11-01'],
  ['order=oldest&after=9&area=files', 'area=files'],
  ['area=files&actor=person%3A7&to=2026-11-30', 'area=files&actor=person%3A7&to=2026-11-30'],
])('at ?%s the file has all of the filter and is no page of it: %s', async (search, query) => {
  const { links, asked } = await show(`/log?${search}`);
  expect(links['Download as CSV']).toBe(`/api/office/log.csv?${query}`);
  expect(asked).toHaveLength(1);
});

test('an address that somebody mistyped shows the whole log', async () => {
  const { asked, rows } = await show('/log?area=everything');
  expect(asked).toEqual(['GET /api/office/log']);
  expect(rows).toHaveLength(2);
});
