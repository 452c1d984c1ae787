import type { Appearance } from '@ballot-beacon/contract/office/appearance';
import { expect, test } from 'vitest';
import { type Answers, showScreen } from '../../shell/show-screen.tsx';
import { LookScreen } from './index.tsx';

const record = { audit_id: 9, at: '2026-11-20T05:30:00Z', who: 'Ada Wu' };
const color = { now: '#112233', changes: [] };
const outage = {
  state: 'default',
  default_value: false,
  is_elsewhere: false,
  changes: [],
} as const;
const noImages: NonNullable<Exclude<Answers['listImages'], number>>['images'] = [
  { kind: 'logo', address: null, undo: null },
  { kind: 'background', address: null, undo: null },
];
const show = (
  more: { color?: Partial<Appearance['color']>; outage?: Partial<Appearance['outage']> } = {},
  images = noImages,
) =>
  showScreen(<LookScreen />, {
    getAppearance: {
      color: { ...color, ...more.color },
      outage: { ...outage, changes: [], ...more.outage },
    },
    listImages: { images },
  });

test.each<[Appearance['outage']['state'], boolean, string, string]>([
  ['on', false, 'Now: On', 'Turn the banner off'],
  ['off', true, 'Now: Off', 'Turn the banner on'],
  ['default', true, 'Now: As usual (on)', 'Turn the banner off'],
  ['default', false, 'Now: As usual (off)', 'Turn the banner on'],
])(
  'a banner that is %s, and usually on: %s, says %j and offers: %s',
  async (state, usual, now, offered) => {
    const { words } = await show({ outage: { state, default_value: usual } });
    expect(words).toContain(now);
    expect(words).toContain(offered);
    expect(words).toContain('The voter’s page as it is now.');
  },
);

test('the last change of the banner is on record, and only then it can be undone', async () => {
  const changed = await show({
    outage: {
      is_elsewhere: true,
      changes: [{ ...record, from: 'default', to: 'on' }],
    },
  });
  expect(changed.words).toContain('Undo the last change of the banner');
  expect(changed.words).toContain('has no effect while that is so');
  expect(changed.rows[1]).toEqual(['Nov 19, 2026, 7:30 PM', 'Ada Wu', 'As usual (off) → On']);
  const fresh = await show();
  expect(fresh.words).not.toContain('Undo');
  expect(fresh.words).not.toContain('has no effect');
});

test('a color can be undone to the one before while it is the last change, and not otherwise', async () => {
  const changes = [
    { ...record, from: '#445566', to: '#112233' },
    { ...record, audit_id: 8, from: '#000000', to: '#445566' },
  ];
  expect((await show({ color: { changes } })).words).toContain('Go back to #445566');
  const since = await show({ color: { now: '#999999', changes } });
  expect(since.words).not.toContain('Go back');
  expect(since.words).toContain('Choose a color (now #999999)');
});

test('each image says how large it may be, and offers what can be done with it', async () => {
  const none = await show();
  expect(none.words).toContain('Logo, at most 256 kB');
  expect(none.words).toContain('Photograph behind the sign-in form, at most 2 MB');
  expect(none.words).not.toContain('Remove the');
  expect(none.html).not.toContain('<img');
  const { html, words } = await show({}, [
    { kind: 'logo', address: '/account-image/logo', undo: 'restore' },
    { kind: 'background', address: null, undo: 'remove' },
  ]);
  expect(html).toContain('src="/account-image/logo" alt="The logo that voters see now"');
  expect(words).toContain('Bring back the logo before');
  expect(words).toContain('Remove the logo');
  expect(words).toContain('Undo: show no photograph, as before');
  expect(words).not.toContain('Remove the photograph');
});
