import type { FixesAnswer, FixReport } from '@ballot-beacon/contract/office/fixes';
import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { expect, test } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import { FixesScreen } from './index.tsx';

type Fix = FixesAnswer['fixes'][number];

const fix: Fix = {
  ...{ voter_id: 5, registration_id: 'V-5', name: 'Vera Fox', is_confidential: false },
  ...{ election: 'Winter Election', defect: 'signature-missing', state: 'open' },
  ...{ deadline: '2026-12-12T22:00:00Z', notices: [], opened_at: null, needs_letter: false },
};
const noLetters = { needed: 0, printed: 0, without_address: [], confidential: 0 };
const answer = (more: Partial<FixesAnswer> = {}): FixesAnswer => ({
  ...{ is_feed_late: false, count: 1, fixes: [fix], letters: noLetters },
  ...more,
});
const show = (
  listFixes: FixesAnswer,
  {
    at = '/fixes',
    rows = [],
    permissions = ['counts', 'voters'],
  }: {
    at?: string;
    rows?: FixReport['rows'];
    permissions?: OfficeSession['permissions'];
  } = {},
) => showScreen(<FixesScreen />, { listFixes, getFixReport: { rows } }, { at, permissions });

test.each<[Partial<Fix>, readonly [number, string]]>([
  [{}, [1, 'V-5 Vera Fox']],
  [{ is_confidential: true, name: '' }, [1, 'V-5 Confidential']],
  [{}, [0, 'Dec 12, 2026, 12:00 PM']],
  [{ deadline: null }, [0, 'Not known: set it, or give the missing day']],
  [{}, [4, 'Not yet']],
  [{ needs_letter: true }, [4, 'Not yet: needs a letter']],
  [
    {
      needs_letter: true,
      notices: [
        { how: 'email', at: '2026-11-20T20:00:00Z' },
        { how: 'letter', at: '2026-11-21T09:00:00Z' },
      ],
    },
    [4, 'Email, Nov 20, 2026, 10:00 AM; Letter, Nov 20, 2026, 11:00 PM'],
  ],
  [{}, [5, 'No']],
  [{ opened_at: '2026-11-21T20:00:00Z' }, [5, 'Nov 21, 2026, 10:00 AM']],
])('of an envelope with %j the queue says: %j', async (more, [column, said]) => {
  const { rows, links } = await show(answer({ fixes: [{ ...fix, ...more }] }));
  expect(rows[1]?.[column]).toBe(said);
  expect(links['V-5']).toBe('/office/voters/5');
});

test.each([
  ['', 'state=open&sort=deadline&direction=ascending'],
  ['?state=fixed&sort=-voter', 'state=fixed&sort=voter&direction=descending'],
  ['?defect=other&sort=opened', 'state=open&defect=other&sort=opened&direction=ascending'],
  ['?state=Fixed&defect=none&sort=name', 'state=open&sort=deadline&direction=ascending'],
])('at %j the queue is asked for by %s', async (search, query) => {
  const { asked } = await show(answer(), { at: `/fixes${search}` });
  expect(asked).toContain(`GET /api/office/fixes?${query}`);
});

test.each<[OfficeSession['permissions'], boolean, boolean]>([
  [['counts'], false, false],
  [['counts', 'voters'], true, false],
  [['counts', 'settings'], false, true],
])(
  'who may %j sees the queue: %s, and the way to the deadlines: %s',
  async (permissions, isQueue, isLink) => {
    const { asked, links, words } = await show(answer(), { permissions });
    expect(asked.some((one) => one.startsWith('GET /api/office/fixes?'))).toBe(isQueue);
    expect(words.includes('V-5')).toBe(isQueue);
    expect('Deadlines to fix an envelope' in links).toBe(isLink);
    expect(words).toContain('No envelope had to be fixed in the current elections.');
  },
);

test('a queue that is longer than its list says so, and what its feed lacks', async () => {
  expect((await show(answer())).words).not.toContain('are listed.');
  const long = await show(answer({ count: 501, is_feed_late: true }));
  expect(long.words).toContain('501 envelopes. The first 1 are listed.');
  expect(long.words).toContain('Reminders to fix an envelope wait');
  expect((await show(answer())).words).not.toContain('Reminders');
  expect((await show(answer({ count: 0, fixes: [] }))).words).toContain('No envelope matches.');
});

test.each<[Partial<FixesAnswer['letters']>, string, boolean]>([
  [{ needed: 2 }, '2 voters need a letter.', true],
  [{ printed: 3 }, 'No letter is needed now. Also 3 letters that were saved before', false],
  [{ without_address: ['V-1', 'V-2'] }, 'No address on the roll: V-1, V-2.', false],
  [{ confidential: 1 }, '1 confidential voter needs a letter, which is in no file.', false],
])('of letters %j it is said: %s', async (letters, said, isOffered) => {
  const { words, html } = await show(answer({ letters: { ...noLetters, ...letters } }));
  expect(words).toContain(said);
  expect(html.includes('Save the letters')).toBe(isOffered);
  expect((await show(answer())).html).not.toContain('id="letters"');
});

const counted = { notified: 2, opened: 3, fixed: 4, expired: 5 };
test.each([
  ['day', '?counts=group', ['2026-10-09', '2026-11-01'], ['Oct 9, 2026', 'Nov 1, 2026']],
  ['day', '?counts=-group', ['2026-10-09', '2026-11-01'], ['Nov 1, 2026', 'Oct 9, 2026']],
  [
    'defect',
    '?by=defect&counts=group',
    ['wrong-envelope', 'id-missing'],
    ['ID missing', 'Wrong envelope'],
  ],
  ['precinct', '?by=precinct&counts=group', ['10', '9', ''], ['–', '9', '10']],
  ['day', '?counts=found', ['2026-11-01', '2026-10-09'], ['Nov 1, 2026', 'Oct 9, 2026']],
])('counts by %s at %j, of %j, are: %j', async (by, search, groups, names) => {
  const rows = groups.map((group, at) => ({ group, found: at + 1, ...counted }));
  const shown = await show(answer(), { at: `/fixes${search}`, rows, permissions: ['counts'] });
  expect(shown.asked).toEqual([`GET /api/office/fix-report?by=${by}`]);
  expect(shown.rows.slice(1).map(([name]) => name)).toEqual(names);
  expect(shown.rows.at(-1)?.slice(2)).toEqual(['2', '3', '4', '5']);
});
