import type { ReportAnswer } from '@ballot-beacon/contract/office/reports';
import { expect, test } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import { ReportsScreen } from './index.tsx';

const elections = [
  { number: '217', name: 'Winter Election' },
  { number: '30', name: 'Spring Election' },
];
const byStatus: ReportAnswer = {
  elections,
  columns: ['day', 'election_name', 'status', 'entered'],
  rows: [
    ['2026-11-01', 'Winter Election', 'sent', 1_200],
    ['2026-10-09', 'Spring Election', 'accepted', 9],
    ['', 'Spring Election', '', 80],
  ],
  count: 3,
};
const show = (search = '', answer: Partial<ReportAnswer> = {}) =>
  showScreen(
    <ReportsScreen />,
    { getReport: { ...byStatus, ...answer } },
    { at: `/reports${search}` },
  );

test('cells are in a clerk’s words, days as days, and what is not known is a dash', async () => {
  const { rows } = await show();
  expect(rows).toEqual([
    [...['Day', 'Election', 'Status', 'Came into it'].map((name) => `${name} ↕`)],
    ['Nov 1, 2026', 'Winter Election', 'Mailed to the voter', '1,200'],
    ['Oct 9, 2026', 'Spring Election', 'Accepted', '9'],
    ['–', 'Spring Election', '–', '80'],
  ]);
  const { rows: codes } = await show('?report=messages', {
    columns: ['language', 'kind', 'state', 'channel', 'defect', 'precinct'],
    rows: [['spanish', 'help', 'sent', 'sms', 'id-missing', '040']],
    count: 1,
  });
  expect(codes[1]).toEqual([
    ...['Spanish', 'Answer to HELP', 'Sent', 'Text message', 'ID missing', '040'],
  ]);
});

test.each([
  ['day', ['Oct 9, 2026', 'Nov 1, 2026', '–']],
  ['-day', ['Nov 1, 2026', 'Oct 9, 2026', '–']],
  ['status', ['Oct 9, 2026', 'Nov 1, 2026', '–']],
  ['-status', ['Nov 1, 2026', 'Oct 9, 2026', '–']],
  ['entered', ['Oct 9, 2026', '–', 'Nov 1, 2026']],
  ['precinct', ['Nov 1, 2026', 'Oct 9, 2026', '–']],
])('sorted by %s the rows are those of %j', async (sort, days) => {
  const { rows } = await show(`?sort=${sort}`);
  expect(rows.slice(1).map(([day]) => day)).toEqual(days);
});

test('a part of a table says so, and cannot be sorted', async () => {
  const whole = await show();
  expect(whole.html).toContain('class="sort"');
  expect(whole.words).not.toContain('Download the table for all of them.');
  const part = await show('?sort=entered', { count: 5_000 });
  expect(part.html).not.toContain('class="sort"');
  expect(part.words).toContain('5,000 rows. The first 3 are shown.');
  expect(part.rows.slice(1).map(([day]) => day)).toEqual(['Nov 1, 2026', 'Oct 9, 2026', '–']);
  expect((await show('', { rows: [], count: 0 })).words).toContain('Nothing was counted');
});

test('the picture of an election has all of the filter, and its downloads as well', async () => {
  const search = 'election=217&from=2026-11-01&to=2026-11-20';
  const { html, links, asked } = await show(`?${search}`);
  expect(asked).toEqual([`GET /api/office/report?report=status&${search}`]);
  expect(html).toContain(`src="/api/office/chart.svg?${search.replaceAll('&', '&amp;')}"`);
  expect(links).toMatchObject({
    'Download the table (CSV)': `/api/office/report.csv?${search}&report=status`,
    'Download the picture (SVG)': `/api/office/chart.svg?${search}`,
    'For slides (PNG)': `/api/office/chart.png?${search}`,
    'To print (PDF)': `/api/office/chart.pdf?${search}`,
  });
  expect(html).toContain('Ballots of Winter Election by status');
});

test.each([
  ['', true, false],
  ['?election=217', false, true],
  ['?election=999', true, false],
  ['?report=fixes&election=217', false, false],
])(
  'at %j an election is still to be chosen: %s, and there is a picture: %s',
  async (search, isToChoose, isThere) => {
    const { words, html } = await show(search);
    expect(words.includes('Choose an election to see its ballots')).toBe(isToChoose);
    expect(html.includes('<img')).toBe(isThere);
  },
);

test.each([
  ['?election=217&from=November', 'report=status'],
  ['?report=none', 'report=status'],
  ['?report=fixes&to=2026-11-31', 'report=fixes'],
])('an address that somebody mistyped, %s, shows and saves %s', async (search, query) => {
  const { asked, links } = await show(search);
  expect(asked).toEqual([`GET /api/office/report?${query}`]);
  expect(links['Download the table (CSV)']).toBe(`/api/office/report.csv?${query}`);
});
