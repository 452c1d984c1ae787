import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { expect, test } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import { CodesScreen } from './index.tsx';

const elections = [
  { number: '300', name: 'Spring Election', is_active: false },
  { number: '217', name: 'Winter Election', is_active: true },
  { number: '216', name: 'Fall Election', is_active: true },
];
const show = (all: typeof elections, permissions: OfficeSession['permissions']) =>
  showScreen(<CodesScreen />, { listCodeElections: { elections: all } }, { permissions });
const chosenIn = (html: string) =>
  [...html.matchAll(/<option value="(\d+)" selected=""/g)].map(([, number]) => number);

test.each<[OfficeSession['permissions'], string[]]>([
  [['codes'], ['On ballots']],
  [['confidential'], ['Letters to confidential voters']],
  [
    ['codes', 'confidential'],
    ['On ballots', 'Letters to confidential voters'],
  ],
])('who may %j is offered the codes of: %j', async (permissions, offered) => {
  const { html } = await show(elections, permissions);
  expect([...html.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, title]) => title)).toEqual(offered);
  expect(html.includes('Replace the codes that still work')).toBe(
    permissions.includes('confidential'),
  );
});

test('codes are of the first election that is active, else of the first, unless somebody chooses another', async () => {
  expect(chosenIn((await show(elections, ['codes'])).html)).toEqual(['217']);
  expect(chosenIn((await show(elections.slice(0, 1), ['codes'])).html)).toEqual(['300']);
  const none = await show([], ['codes']);
  expect(none.words).toContain('No election yet.');
  expect(none.html).not.toContain('<button');
});
