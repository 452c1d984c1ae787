import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { ensurePageIsBuilt } from '../../platform/page-build.ts';

const dist = fileURLToPath(new URL('../../../../web/dist', import.meta.url));
const host = 'adams.localhost';
const office = '/api/office/appearance';
let api: TestApi;
let editor: TestPerson;

beforeAll(async () => {
  await ensurePageIsBuilt();
  // Voters may see a change later than who makes it.
  api = await createTestApi({ pageDirectory: dist, contentKeptMs: 600_000 });
  const accountId = await addOffice(api.test, { subdomain: 'adams' });
  editor = await addPerson(api, { accountId, host }, 'Edda Moss', ['editor']);
}, 180_000);
afterAll(() => api.close());

test('the preview shows the notice and the color as they would be, whatever they are now', async () => {
  await editor.signIn();
  const look = async (query: string) => {
    const url = `${office}/preview.html?language=english&screen=login${query}`;
    return (await editor.browser.get(url)).body;
  };
  const isShown = async (query: string) => (await look(query)).includes('class="outage"');
  for (const now of ['off', 'on']) {
    expect((await editor.browser.patch(`${office}/outage`, { to: now })).statusCode).toBe(204);
    expect([
      now,
      await isShown(''),
      await isShown('&outage=on'),
      await isShown('&outage=off'),
    ]).toEqual([now, now === 'on', true, false]);
  }
  const has = async (query: string, color: string) => (await look(query)).includes(color);
  expect([await has('&color=%237a1f5c', '#7a1f5c'), await has('', '#7a1f5c')]).toEqual([
    true,
    false,
  ]);
  // One that is too pale to be read on white is as voters would get it.
  const pale = (name: string) => has('&color=%23ffff00', `--accent-${name}:#ffff00`);
  expect([await pale('light'), await pale('dark')]).toEqual([false, true]);
});

test.each([
  ['login', 'name="zipcode"'],
  ['dashboard', 'href="/voter/preferences"'],
  ['preferences', 'name="email"'],
])('the preview of the screen %s has what is on that screen: %s', async (screen, part) => {
  await editor.signIn();
  const url = `${office}/preview.html?language=english&screen=${screen}`;
  const { statusCode, body } = await editor.browser.get(url);
  expect(statusCode).toBe(200);
  expect(body.replace(/^.*<body/s, '')).toContain(part);
});
