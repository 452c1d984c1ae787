import type { ListedElection } from '@ballot-beacon/contract/office/elections';
import { expect, test } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import { ElectionsScreen } from './index.tsx';

const winter: ListedElection = {
  ...{ election_id: 7, number: '217', name: 'Winter Election', election_date: '2026-12-10' },
  ...{ is_active: true, kind: null, certified_on: null, canvassed_on: null },
  return_deadline: { rule: 'received', date: '2026-12-10', time: '19:00', place: 'any drop box' },
};
const spring: ListedElection = {
  ...winter,
  ...{ election_id: 8, number: '30', name: 'Spring Election', election_date: '2026-03-10' },
  ...{ is_active: false, return_deadline: null },
};
const fall: ListedElection = {
  ...winter,
  ...{ election_id: 9, number: '4', name: 'Fall Election', election_date: '2026-09-01' },
  return_deadline: { rule: 'postmarked', date: '2026-09-01', time: null, place: '' },
};
const show = (elections: ListedElection[], open?: string, at = '/elections') =>
  showScreen(<ElectionsScreen open={open} />, { listElections: { elections } }, { at });
const namesAt = async (at: string) =>
  (await show([winter, spring, fall], undefined, at)).rows.slice(1).map(([name]) => name);

test('the list says of each election by when its ballots must be back, as far as that is announced', async () => {
  const { rows, links } = await show([winter, spring, fall]);
  expect(rows.slice(1).map((row) => row.slice(1, 5))).toEqual([
    ['217', 'Dec 10, 2026', 'Active', 'received by Dec 10, 2026, 7:00 PM, any drop box'],
    ['30', 'Mar 10, 2026', 'Not active', 'Not announced'],
    ['4', 'Sep 1, 2026', 'Active', 'postmarked by Sep 1, 2026'],
  ]);
  expect(links['Edit Spring Election']).toBe('/office/elections/8');
  expect((await show([])).words).toContain('No election yet. Add one before you import ballots.');
});

test.each([
  ['', ['Winter Election', 'Spring Election', 'Fall Election']],
  ['?sort=number', ['Fall Election', 'Spring Election', 'Winter Election']],
  ['?sort=-number', ['Winter Election', 'Spring Election', 'Fall Election']],
  ['?sort=day', ['Spring Election', 'Fall Election', 'Winter Election']],
  ['?sort=-state', ['Spring Election', 'Winter Election', 'Fall Election']],
  ['?sort=actions', ['Winter Election', 'Spring Election', 'Fall Election']],
])('at %j the elections are: %j', async (search, names) => {
  expect(await namesAt(`/elections${search}`)).toEqual(names);
});

test.each([
  ['7', 'Winter Election', '217', '/office/elections/deadlines/7'],
  ['8', 'Spring Election', '30', undefined],
])(
  'the form of election %s is that of %s, %s, and leads to its deadlines where it is active',
  async (open, name, number, deadlines) => {
    const { html, links, rows } = await show([winter, spring, fall], open);
    expect(rows).toEqual([]);
    expect(html).toContain(`<h2>${name}</h2>`);
    expect(/<input[^>]* value="([^"]*)"/.exec(html)?.[1]).toBe(number);
    expect(links['Deadlines to fix an envelope']).toBe(deadlines);
    expect(html).toContain('Remove');
  },
);

test('a new election begins with nothing, and an election that nobody has is not open', async () => {
  const added = await show([winter], 'new');
  expect(added.html).toContain('<h2>Add an election</h2>');
  expect(added.html).not.toContain('Winter Election');
  expect(added.html).not.toContain('Remove');
  expect((await show([winter], '70')).rows).toHaveLength(2);
});

test.each<[string, ListedElection, boolean]>([
  ['nothing', spring, false],
  ['when ballots must be received', winter, true],
  ['when ballots must be postmarked', fall, true],
])(
  'the form of an election that announces %s asks by when and where only if it announces a deadline',
  async (_what, election, isAsked) => {
    const { words } = await show([election], String(election.election_id));
    for (const name of ['Last day', 'Until (time)', 'Where'])
      expect(words.includes(name)).toBe(isAsked);
  },
);
