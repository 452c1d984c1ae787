import type { SettingColumn, SettingField } from '@ballot-beacon/contract/office/settings';
import { expect, test } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import { Cell } from './cell.tsx';
import { SettingInput } from './field.tsx';
import { SettingsScreen } from './index.tsx';
import { Problems } from './problems.tsx';
import { Review } from './review.tsx';
import { ScanPushScreen } from './scan-push.tsx';

const nothing = () => {};
const field = (at: string, more: Partial<SettingField> = {}): SettingField => ({
  ...{ at, control: 'text', options: [], columns: [], is_optional: false },
  ...{ value: '', fallback: null, ...more },
});
const review = (more: Partial<Parameters<typeof Review>[0]>) =>
  showScreen(
    <Review
      {...{ changes: [], hasImages: false, unreached: 0, isBusy: false }}
      onSave={nothing}
      onBack={nothing}
      {...more}
    />,
  );

test('a change is shown from what to what, and only a change can be saved', async () => {
  const { rows, words } = await review({
    changes: [
      { at: 'contact_phone', from: '(352) 555-0123', to: '(352) 555-0142' },
      { at: 'reports_counted', from: false, to: true },
      { at: 'contact_email', from: 'a@adams.example', to: null },
    ],
  });
  expect(rows.slice(1)).toEqual([
    ['Phone for voters', '(352) 555-0123', '(352) 555-0142'],
    ['Your files say when a ballot is counted', 'No', 'Yes'],
    ['Email for voters', 'a@adams.example', expect.stringMatching(/^\S/)],
  ]);
  expect(words).toContain('Save these changes');
  const none = await review({});
  expect(none.words).not.toContain('Save these changes');
  expect(none.words).toContain('Go on editing');
  expect(none.rows).toEqual([]);
});

test.each([
  [0, false],
  [1, true],
  [2, true],
])(
  'where %i voters would get no alert any more, a warning says so: %s',
  async (unreached, isWarned) => {
    const { html } = await review({ unreached });
    expect(html.includes('notice-bad')).toBe(isWarned);
  },
);

test('each group has its settings, and an unknown one those of the office', async () => {
  const fields = [
    field('contact_phone', { value: '(352) 555-0123' }),
    field('quiet_hours.start', { control: 'time', value: '08:00' }),
    field('quiet_hours.end', { control: 'time', value: '20:00' }),
  ];
  const show = async (group: string | undefined, typed = {}) => {
    const { html } = await showScreen(
      <SettingsScreen group={group} />,
      { getSettings: { version: 'a', fields } },
      { typed: [[['settings'], typed]] },
    );
    return html;
  };
  const shownIn = (html: string) =>
    [...html.matchAll(/id="setting-([\w.]+)"[^>]*value="([^"]*)"/g)].map(([, at, value]) => [
      at,
      value,
    ]);
  for (const group of [undefined, 'none', 'office'])
    expect(shownIn(await show(group))).toEqual([['contact_phone', '(352) 555-0123']]);
  const messages = await show('messages', { 'quiet_hours.end': '19:00' });
  expect(shownIn(messages)).toEqual([
    ['quiet_hours.start', '08:00'],
    ['quiet_hours.end', '19:00'],
  ]);
  expect(messages).toContain('See what 1 change does');
  expect([...messages.matchAll(/>([^<>]+) <span[^>]*>Changed</g)].map(([, name]) => name)).toEqual([
    'Texts and calls until',
  ]);
  expect(await show('messages')).not.toContain('See what');
});

test('a problem leads to the group of its setting', async () => {
  const fields = [field('quiet_hours.start'), field('contact_phone')];
  const { links, words } = await showScreen(
    <Problems
      fields={fields}
      problems={[
        { at: 'quiet_hours.start', message: 'must be a time.' },
        { at: '', message: 'is another office’s file.' },
      ]}
    />,
  );
  expect(Object.entries(links)).toEqual([
    [expect.stringContaining('must be a time.'), '/office/settings/messages'],
  ]);
  expect(words).toContain('is another office’s file.');
});

test.each([
  ['kind', 'None'],
  ['value', 'Nothing is known'],
])('an optional choice of the column %s begins with nothing, called: %s', async (name, called) => {
  const column: SettingColumn = {
    ...{ name, control: 'choice', options: ['a', 'b'], is_optional: true, only_for: [] },
  };
  const show = async (more: Partial<SettingColumn>) =>
    (
      await showScreen(
        <Cell id="x" at="analytics" column={{ ...column, ...more }} typed="" onType={nothing} />,
      )
    ).html;
  expect(/<option value=""[^>]*>([^<]*)/.exec(await show({}))?.[1]).toBe(called);
  expect(await show({ is_optional: false })).not.toContain('<option value=""');
});

test('the values of an ordered setting can be moved up, but for the first', async () => {
  const languages = field('languages', {
    ...{ control: 'choices', options: ['english', 'spanish', 'french'] },
  });
  const { html } = await showScreen(
    <SettingInput
      {...{ field: languages, typed: ['spanish', 'english'], isChanged: false, errors: [] }}
      onType={nothing}
    />,
  );
  const labels = [...html.matchAll(/<button[^>]*aria-label="([^"]*)"/g)].map(([, label]) => label);
  expect(labels).toEqual([
    ...['Remove row 1: Languages', 'Move row 2 up: Languages', 'Remove row 2: Languages'],
    'Add a row: Languages',
  ]);
});

test.each([
  [null, 'There is no password yet', 'Make a password'],
  [
    '2026-11-20T05:30:00Z',
    'The password was made Nov 19, 2026, 7:30 PM. Only its hash is kept',
    'Make a new password',
  ],
])('of a password made %s it is said: %s', async (made_at, said, offered) => {
  const { words, rows } = await showScreen(<ScanPushScreen />, {
    getScanPush: { url: 'https://adams.example/api/usps/iv-mtr', user: 'usps', made_at },
  });
  expect(words).toContain(said);
  expect(words).toContain(offered);
  expect(rows).toEqual([
    ['Address', 'https://adams.example/api/usps/iv-mtr'],
    ['User name', 'usps'],
  ]);
});
