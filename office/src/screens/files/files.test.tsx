import type { ListedFile } from '@ballot-beacon/contract/office/files';
import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import type { UploadAnswer, UploadPreview } from '@ballot-beacon/contract/office/uploads';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import type * as Files from './index.tsx';
import type * as Upload from './upload.tsx';

let files: typeof Files;
let upload: typeof Upload;
beforeAll(async () => {
  vi.stubGlobal('addEventListener', () => {});
  files = await import('./index.tsx');
  upload = await import('./upload.tsx');
});
afterAll(() => vi.unstubAllGlobals());

const listed: ListedFile = {
  ...{ import_id: 12, file_name: 'roll.csv', format: 'beacon-ballots', state: 'file-held' },
  ...{ imported_by: 'Ina Wolf', finished_at: '2026-11-20T05:30:00Z' },
  ...{ rows_read: 1_200, rows_refused: 3 },
};
const choices = {
  ...{ uploads: [], most_bytes: 1 },
  formats: [
    { name: 'beacon-voters', title: 'Beacon voters' },
    { name: 'beacon-ballots', title: 'Beacon ballots' },
  ],
  elections: [
    { number: '216', name: 'Town Election' },
    { number: '217', name: 'Winter Election' },
  ],
};
const today = {
  waiting: { files: 0, messages: 0, uploads: 0, requests: 0 },
  ...{ attacks: [], elections: [], stopped: [], trouble: [], messages: [] },
  feeds: [{ format: 'beacon-voters', last_at: null, every_hours: null, is_late: true }],
  fixes: {
    ...{ within_day: 0, within_three_days: 0, later: 0, unknown: 0 },
    ...{ need_letter: 0, is_feed_late: false },
  },
  ...{ sign_ins: { signed_in: 0, refused: 0, locked: 0 }, messages_from: '2026-11-13' },
};

test.each<[string, OfficeSession['permissions'], boolean, boolean]>([
  ['', ['files', 'import'], true, true],
  ['', ['files', 'release'], false, true],
  ['?order=oldest', ['files', 'import'], true, true],
  ['?before=9', ['files', 'import'], false, false],
  ['?order=oldest&after=9', ['files', 'import'], false, false],
])(
  'at %j, who may %j drops files: %s, and sees how old they are: %s',
  async (search, permissions, isDrop, isFirst) => {
    const { FilesScreen } = files;
    const { html, words, rows, links, asked } = await showScreen(
      <FilesScreen />,
      { listFiles: { files: [listed], next: 11 }, getToday: today, listUploads: choices },
      { at: `/files${search}`, permissions },
    );
    expect(html.includes('id="files"')).toBe(isDrop);
    expect(words.includes('never Late')).toBe(isFirst);
    expect(asked).toContain(`GET /api/office/files${search}`);
    expect(rows.at(-1)).toEqual([
      ...['roll.csv beacon-ballots', 'Waiting for approval', 'Nov 19, 2026, 7:30 PM'],
      ...['Ina Wolf', '1,200', '3'],
    ]);
    expect(links['roll.csv']).toBe('/office/files/12');
  },
);

const preview: UploadPreview = {
  ...{ checked_at: '2026-11-20T05:30:00Z', outcome: 'ready', format: 'beacon-ballots' },
  holds: 'ballots',
  rows: { read: 2, added: 0, changed: 2, unchanged: 0, refused: 0, passed_over: 0 },
  ...{ counts: [], reasons: [], message_reasons: [], refused_because: null, refusals: [] },
  ...{ refused_rows: [], warnings: [], unknown_statuses: [], unknown_columns: [], samples: [] },
  ...{ messages: [], last_message_at: null },
};
const whole: UploadAnswer = {
  ...{ upload_id: 7, file_name: 'roll.csv', size: 2_048, state: 'ready', uploaded_by: 'Ina Wolf' },
  ...{ is_own: true, created_at: '2026-11-20T05:30:00Z', received_bytes: 2_048 },
  ...{ piece_bytes: 512, received: [], format: 'beacon-ballots', election: '217' },
  ...{ is_full: true, check: 1, progress_bytes: null, problem: null, preview, import_id: null },
};
const show = (more: Partial<UploadAnswer> = {}) => {
  const { UploadScreen } = upload;
  return showScreen(<UploadScreen uploadId={7} />, {
    ...{ getUpload: { ...whole, ...more }, listUploads: choices },
  });
};

test.each<[Partial<UploadAnswer>, string[]]>([
  [{}, ['Import this file', 'Import, and ask', 'Check again', 'Delete this file']],
  [
    { preview: { ...preview, outcome: 'waits' } },
    ['Import, and ask a second person', 'Check again', 'Delete this file'],
  ],
  [{ preview: { ...preview, outcome: 'refused' } }, ['Check again', 'Delete this file']],
  [{ preview: null }, ['Check again', 'Delete this file']],
  [{ is_own: false }, ['Delete this file']],
  [{ state: 'checking', preview: null }, ['Delete this file']],
  [{ state: 'importing' }, []],
  [{ state: 'imported' }, []],
])('of an upload with %j a person may: %j', async (more, offered) => {
  const { html, words } = await show(more);
  const names = [...html.matchAll(/<button[^>]*>(.*?)<\/button>/gs)].map(([, name = '']) =>
    name.replaceAll(/<[^>]*>/g, ''),
  );
  expect(names).toEqual(offered);
  expect(words.includes('Ina Wolf uploaded this file, and decides')).toBe(more.is_own === false);
});

test('how far a check has come is shown, and a file is read next as it was read last', async () => {
  const { words } = await show({ state: 'checking', progress_bytes: 512 });
  expect(words).toContain('25%');
  const chosenIn = (html: string) =>
    [...html.matchAll(/<option value="([^"]*)" selected=""/g)].map(([, value]) => value);
  const { html } = await show();
  expect(chosenIn(html)).toEqual(['beacon-ballots', '217']);
  expect(html).toMatch(/<input[^>]*name="is_full"[^>]*checked=""/);
  const fresh = await show({ format: null, election: null, is_full: false });
  expect(chosenIn(fresh.html)).toEqual(['', '']);
  expect(fresh.html).not.toContain('checked=""');
  expect((await show({ problem: 'The file is not complete.' })).words).toContain('not complete.');
});
