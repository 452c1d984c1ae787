import type { FileAnswer } from '@ballot-beacon/contract/office/files';
import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { expect, test } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import { FileScreen } from './file.tsx';

const file: FileAnswer = {
  ...{ import_id: 12, file_name: 'roll.csv', format: 'beacon-ballots', state: 'done' },
  ...{ imported_by: 'Ina Wolf', finished_at: '2026-11-20T05:30:00Z', rows_read: 9 },
  ...{ rows_refused: 0, holds: 'ballots', counts: [], reasons: [], refusals: [] },
  rows: { added: 0, changed: 0, unchanged: 0, refused: 0, passed_over: 0 },
  ...{ has_rejects: false, warnings: [], unknown_statuses: [], unknown_columns: [] },
  ...{ ended_because: null, messages: { unsent: 3, sent: 2 }, finish: null },
  ...{ is_loading: false, is_own: false, history: [] },
};
const show = (
  more: Partial<FileAnswer> = {},
  permissions: OfficeSession['permissions'] = ['files', 'release'],
) => showScreen(<FileScreen importId={12} />, { getFile: { ...file, ...more } }, { permissions });
const buttonsIn = (html: string) =>
  [...html.matchAll(/<button[^>]*value="(\w+)"[^>]*>(.*?)<\/button>/gs)].map(
    ([, value, name = '']) => `${value}: ${name.replaceAll(/<[^>]*>/g, '')}`,
  );

const correct = 'correctFile: Correct this import';
test.each<[FileAnswer['state'], string[]]>([
  ['file-held', ['releaseFile: Approve and load the file', 'returnFile: Return the file']],
  ['messages-held', ['releaseFile: Approve and send the messages', correct]],
  ['done', [correct]],
  ['released', [correct]],
  ['nothing-new', []],
  ['corrected', []],
  ['discarded', []],
  ['refused', []],
])('of a file that is %s another person may decide: %j', async (state, decisions) => {
  expect(buttonsIn((await show({ state })).html)).toEqual(decisions);
  // Who may only look decides nothing, and who imported it waits for somebody else.
  expect((await show({ state }, ['files', 'import'])).html).not.toContain('<form');
  const own = await show({ state, is_own: true });
  expect(buttonsIn(own.html)).toEqual([]);
  expect(own.words.includes('You imported this file. A second person must check it')).toBe(
    decisions.length > 0,
  );
});

test('a person who decides reads how many messages are about to leave, and when', async () => {
  const finish = {
    ...{ earliest_at: '2026-11-20T20:00:00Z', latest_at: '2026-11-21T20:00:00Z', too_old: 4 },
  };
  const { words } = await show({ state: 'messages-held', finish });
  expect(words).toContain('Messages that will be sent: 3.');
  expect(words).toContain(
    'The last message leaves between Nov 20, 2026, 10:00 AM and Nov 21, 2026, 10:00 AM:',
  );
  expect(words).toContain('4 messages will be more than three days old by then');
  expect(words).toContain('have not left (3), notifies the voters of those that have (2)');
  const sure = { ...finish, latest_at: finish.earliest_at, too_old: 0 };
  const done = await show({ finish: sure });
  expect(done.words).toContain('The last message leaves about Nov 20, 2026, 10:00 AM.');
  expect(done.words).not.toContain('three days old');
});

test.each<[OfficeSession['permissions'], boolean, string | undefined]>([
  [['files', 'import'], true, '/api/office/files/12/rejects'],
  [['files', 'import'], false, undefined],
  [['files', 'release'], true, undefined],
])(
  'who may %j, where refused rows are kept: %s, downloads them from %s',
  async (permissions, has_rejects, to) => {
    const refusals = [{ reason: 'No such voter', count: 1_200, line: 7 }];
    const { links, rows } = await show({ has_rejects, refusals }, permissions);
    expect(links['Download every refused row (CSV)']).toBe(to);
    expect(rows.at(-1)).toEqual(['No such voter', '1,200', '7']);
  },
);

test.each<[FileAnswer['state'], FileAnswer['holds'], string, string]>([
  ['file-held', 'ballots', 'Why it waits', 'Voter ID'],
  ['messages-held', 'voters', 'Why it waits', 'Voter ID'],
  ['released', 'scans', 'Why it waited', 'Barcode'],
  ['refused', 'mailpieces', 'Why it was refused', 'Voter ID'],
])('a file that is %s and has %s says %j, with examples by %s', async (state, kind, title, by) => {
  const { html, rows } = await show({
    ...{ state, holds: kind },
    reasons: [
      {
        detail: 'Ballots move back',
        examples: [
          { voter: 'V-5', from: 'Accepted', to: 'Sent', line: 1_200 },
          { voter: 'V-6', from: 'Accepted', to: 'Sent', line: null },
        ],
      },
    ],
  });
  expect(html).toContain(`<h2>${title}</h2>`);
  expect(rows.slice(0, 3)).toEqual([
    [by, 'Now', 'In the file', 'Line'],
    ['V-5', 'Accepted', 'Sent', '1,200'],
    ['V-6', 'Accepted', 'Sent', '–'],
  ]);
});

test('what a file changed is counted row by row, and by status with its sign', async () => {
  const { rows } = await show({
    state: 'file-held',
    rows: { added: 1, changed: 2, unchanged: 3, refused: 4, passed_over: 5 },
    counts: [
      { name: '217 sent', before: 1_300, after: 100 },
      { name: '217 returned', before: 0, after: 1_200 },
      { name: '217 accepted', before: 5, after: 5 },
    ],
  });
  expect(rows).toEqual([
    ['On record', 'Before', 'If approved', 'Change'],
    ['Election 217: Mailed to the voter', '1,300', '100', '−1,200'],
    ['Election 217: Returned', '0', '1,200', '+1,200'],
    ['Election 217: Accepted', '5', '5', '0'],
    ...[
      ['New', '1'],
      ['Changed', '2'],
      ['Unchanged', '3'],
      ['Refused', '4'],
      ['Skipped', '5'],
    ],
  ]);
  const after = await show({ counts: [{ name: '217 sent', before: 0, after: 1 }] });
  expect(after.rows[0]).toEqual(['On record', 'Before', 'After', 'Change']);
});

test('the page of a file says what each person did with it, why it ended, and that another is loading', async () => {
  const at = '2026-11-20T05:30:00Z';
  const { words } = await show({
    ...{ state: 'discarded', ended_because: 'The disk was full.', is_loading: true },
    history: [
      { at, who: 'Ina Wolf', what: 'file.import', reason: null },
      { at, who: 'Rosa Kim', what: 'import.discard', reason: 'A test file.' },
    ],
  });
  expect(words).toContain('Nov 19, 2026, 7:30 PM Ina Wolf: imported the file');
  expect(words).toContain('Rosa Kim: returned it A test file.');
  expect(words).toContain('The disk was full.');
  expect(words).toContain('A file of this office is being loaded now.');
  expect((await show()).words).not.toContain('is being loaded now');
});
