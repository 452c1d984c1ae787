import type { PeopleAnswer, Person } from '@ballot-beacon/contract/office/people';
import { expect, test } from 'vitest';
import { showScreen } from '../../shell/show-screen.tsx';
import { PeopleScreen } from './index.tsx';

const ada: Person = {
  ...{ person_id: 7, name: 'Ada Wu', roles: ['admin', 'clerk'], method: 'passkey', passkeys: 1 },
  last_seen_at: '2026-11-20T05:30:00Z',
};
const carl: Person = {
  ...{ person_id: 8, name: 'Carl Reed', roles: [], method: 'provider', passkeys: 0 },
  last_seen_at: null,
};
const show = (more: Partial<PeopleAnswer> = {}) =>
  showScreen(<PeopleScreen />, {
    listPeople: { people: [ada, carl], invitations: [], removed: [], ...more },
  });
const cardOf = (html: string, name: string) =>
  [...html.matchAll(/<li class="panel card">.*?<\/li>/gs)]
    .map(([card]) => card)
    .find((card) => card.includes(`<h2>${name}</h2>`)) ?? '';
const plain = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

test('a person with a passkey has roles to tick and may get a new one', async () => {
  const card = cardOf((await show()).html, 'Ada Wu');
  const ticked = [...card.matchAll(/<input[^>]*checked=""[^>]*>/g)].map(
    ([box]) => /value="([^"]*)"/.exec(box)?.[1],
  );
  expect(ticked).toEqual(['clerk', 'admin']);
  expect(plain(card)).toContain('Last sign-in: Nov 19, 2026, 7:30 PM');
  expect(plain(card)).toContain('New passkey');
});

test('a person of the provider has the roles of its groups, and no passkey here', async () => {
  const card = cardOf((await show()).html, 'Carl Reed');
  expect(plain(card)).toContain('The roles come from groups there: none now.');
  expect(plain(card)).toContain('Last sign-in: never');
  expect(card).not.toContain('checkbox');
  expect(plain(card)).not.toContain('New passkey');
  expect(plain(card)).toContain('Remove');
  const { html } = await show({ people: [{ ...carl, roles: ['clerk', 'editor'] }] });
  expect(plain(cardOf(html, 'Carl Reed'))).toContain('groups there: Clerk, Editor.');
});

test('open invitations and removed people are named with their days, by the office’s clock', async () => {
  const { words } = await show({
    invitations: [{ name: 'Nell Fox', roles: ['viewer'], ends_at: '2026-11-23T05:30:00Z' }],
    removed: [
      { person_id: 9, name: 'Bo Lee', method: 'passkey', removed_at: '2026-11-18T05:30:00Z' },
    ],
  });
  expect(words).toContain('Nell Fox (Viewer), until Nov 22, 2026, 7:30 PM');
  expect(words).toContain('Bo Lee, removed Nov 17, 2026, 7:30 PM Let in again');
  const nobody = await show();
  expect(nobody.words).not.toContain('Open invitations');
  expect(nobody.words).not.toContain('Removed people');
});

test('an invitation begins without a role', async () => {
  const { html } = await show({ people: [] });
  expect(html).toContain('name="name"');
  expect(html.split('type="checkbox"').length - 1).toBe(8);
  expect(html).not.toContain('checked=""');
});
