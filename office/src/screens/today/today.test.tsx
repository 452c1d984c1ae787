import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import type { Today } from '@ballot-beacon/contract/office/today';
import { expect, test } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import { TodayScreen } from './index.tsx';

const quiet: Today = {
  waiting: { files: 0, messages: 0, uploads: 0, requests: 0 },
  ...{ attacks: [], feeds: [], elections: [], stopped: [], trouble: [], messages: [] },
  fixes: {
    ...{ within_day: 0, within_three_days: 0, later: 0, unknown: 0 },
    ...{ need_letter: 0, is_feed_late: false },
  },
  sign_ins: { signed_in: 0, refused: 0, locked: 0 },
  messages_from: '2026-11-13',
};
const feed = { format: 'beacon-ballots', every_hours: 26, is_late: false };
const show = (
  more: Partial<Today> = {},
  permissions: OfficeSession['permissions'] = ['counts', 'voters', 'files', 'settings'],
) => showScreen(<TodayScreen />, { getToday: { ...quiet, ...more } }, { permissions });
const nothing = 'Nothing needs a person now.';
/** Of what needs a person: the first list. */
const todoOf = (html: string) =>
  [...(/<ul class="todo">(.*?)<\/ul>/s.exec(html)?.[1]?.matchAll(/<li>(.*?)<\/li>/gs) ?? [])].map(
    ([, line = '']) => line.replaceAll(/<[^>]*>/g, '').replaceAll(/\s/g, ' '),
  );

test.each<[Partial<Today>, string]>([
  [{ waiting: { ...quiet.waiting, files: 1 } }, '1 file is waiting for approval.'],
  [{ waiting: { ...quiet.waiting, messages: 2 } }, 'The messages of 2 files are waiting'],
  [{ waiting: { ...quiet.waiting, uploads: 1 } }, '1 uploaded file is checked'],
  [{ waiting: { ...quiet.waiting, requests: 3 } }, '3 requests to confirm an address'],
  [{ fixes: { ...quiet.fixes, within_day: 1 } }, '1 envelope must be fixed within 24 hours.'],
  [{ fixes: { ...quiet.fixes, need_letter: 2 } }, '2 voters can be reached by letter only.'],
  [{ fixes: { ...quiet.fixes, is_feed_late: true } }, 'Reminders to fix an envelope wait'],
  [
    { attacks: [{ kind: 'spraying', last_at: '2026-11-20T05:30:00Z' }] },
    'Somebody tried to sign in as many of your voters, last Nov 19, 2026, 7:30 PM.',
  ],
  [{ trouble: ['sms'] }, 'Text message: the service that takes these messages has trouble'],
  [
    { feeds: [{ ...feed, is_late: true, last_at: '2026-11-20T05:30:00Z' }] },
    'The file beacon-ballots is late. The last one came Nov 19, 2026, 7:30 PM.',
  ],
  [
    { feeds: [{ ...feed, is_late: true, last_at: null }] },
    'The file beacon-ballots has never come.',
  ],
  [
    { stopped: [{ facility: 'PORT ALDEN', day: '2026-11-18', envelopes: 1, zips: ['32001'] }] },
    '1 envelope has not moved since PORT ALDEN, Nov 18, 2026.',
  ],
  [
    { stopped: [{ facility: '', day: '2026-11-18', envelopes: 2, zips: ['32001', '32002'] }] },
    '2 envelopes stopped in many places at once (Nov 18, 2026).',
  ],
])('%j needs a person: %s', async (more, said) => {
  const { html, words } = await show(more);
  expect(todoOf(html)).toEqual([expect.stringContaining(said)]);
  expect(words).not.toContain(nothing);
});

test('where nothing needs a person, it is said, also where envelopes have time left', async () => {
  const { html, words } = await show({
    fixes: { ...quiet.fixes, within_three_days: 4, later: 5, unknown: 6 },
    feeds: [{ ...feed, last_at: null }],
  });
  expect(words).toContain(nothing);
  expect(todoOf(html)).toEqual([]);
  expect((await show()).words).not.toContain('Envelopes that voters can still fix');
});

test.each<[OfficeSession['permissions'], string[], boolean]>([
  [['counts'], [], true],
  [['counts', 'files'], ['/office/files'], true],
  [['counts', 'settings'], ['/office/misuse'], false],
])(
  'who may %j is led to %j, and else to an administrator: %s',
  async (permissions, leads, isAsked) => {
    const waiting = { files: 1, messages: 1, uploads: 1, requests: 1 };
    const { links, words } = await show({ waiting }, permissions);
    expect([...new Set(Object.values(links))]).toEqual(leads);
    expect(words.includes('An administrator of your office can send or discard them.')).toBe(
      isAsked,
    );
  },
);

const counted: Partial<Today> = {
  fixes: { ...quiet.fixes, within_three_days: 4, later: 5, unknown: 6 },
  elections: [
    {
      ...{ number: '217', name: 'Winter Election', date: '2026-12-10' },
      ballots: [
        { status: 'sent', count: 1_200 },
        { status: 'accepted', count: 0 },
        { status: null, count: 3 },
      ],
    },
    { number: '30', name: 'Town Election', date: '2026-12-01', ballots: [] },
  ],
  messages: [{ channel: 'sms', outcome: 'failed', count: 7 }],
  sign_ins: { signed_in: 10, refused: 20, locked: 30 },
};

test('every figure stands beside what it counts', async () => {
  const { rows, words } = await show(counted);
  expect(rows.filter((row) => !row.includes('Count'))).toEqual([
    ['Under 24 hours', '0'],
    ['1 to 3 days', '4'],
    ['More than 3 days', '5'],
    ['Deadline not known', '6'],
    ['Mailed to the voter', '1,200'],
    ['Accepted', '0'],
    ['No status yet', '3'],
    ['Text message', 'Failed', '7'],
    ['Signed in', '10'],
    ['Details did not match', '20'],
    ['Locked after too many tries', '30'],
  ]);
  expect(words).toContain('Winter Election, Dec 10, 2026');
  expect(words).toContain('Town Election, Dec 1, 2026 No ballots loaded yet.');
  const one = await show({ elections: counted.elections?.slice(0, 1) ?? [] });
  expect(one.words).toContain('Winter Election, Dec 10, 2026');
  const empty = await show();
  expect(empty.words).toContain('No current election.');
  expect(empty.words).toContain('No messages in the last 7 days.');
});

test('a figure that is not zero leads those who may look up voters to its list', async () => {
  const { links } = await show(counted, ['counts', 'voters']);
  expect(links).toEqual({
    'Envelopes that voters can still fix': '/office/fixes',
    ...{ '1 to 3 days, 4': '/office/fixes', 'More than 3 days, 5': '/office/fixes' },
    'Deadline not known, 6': '/office/fixes',
    'Mailed to the voter, 1,200': '/office/ballots?election=217&status=sent',
    'No status yet, 3': '/office/ballots?election=217&status=none',
    'Text message, Failed, 7': '/office/messages?channel=sms&outcome=failed&from=2026-11-13',
  });
  expect(Object.keys((await show(counted, ['counts'])).links)).toEqual([
    'Envelopes that voters can still fix',
  ]);
});

test('where envelopes stopped is listed for the office’s contact at USPS, and how old its files are', async () => {
  const { rows } = await show({
    stopped: [
      { facility: 'PORT ALDEN', day: '2026-11-18', envelopes: 1_500, zips: ['32001', '32002'] },
      { facility: '', day: '2026-11-19', envelopes: 2, zips: ['32003'] },
    ],
    feeds: [
      { ...feed, last_at: '2026-11-20T05:30:00Z' },
      { format: 'usps', every_hours: 1, is_late: true, last_at: null },
      { format: 'roll', every_hours: null, is_late: false, last_at: null },
    ],
  });
  expect(rows).toEqual(
    expect.arrayContaining([
      ['PORT ALDEN', 'Nov 18, 2026', '1,500', '32001, 32002'],
      ['Many places', 'Nov 19, 2026', '2', '32003'],
      ['beacon-ballots', 'Nov 19, 2026, 7:30 PM', 'every 26 hours'],
      ['usps', 'never Late', 'every hour'],
      ['roll', 'never', '–'],
    ]),
  );
});
