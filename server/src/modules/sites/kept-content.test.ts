import { afterAll, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';

const apis: TestApi[] = [];
afterAll(() => Promise.all(apis.map((api) => api.close())));

/** The office's name as voters see it, before and after it is changed. */
async function begin(contentKeptMs: number) {
  const api = await createTestApi({ contentKeptMs });
  apis.push(api);
  await addOffice(api.test, { subdomain: 'adams', name: 'Before' });
  const browser = api.browser('adams.localhost:8080');
  const readName = async () =>
    (await browser.get('/api/voter/branding')).json<{
      _embedded: { branding: { name: string }[] };
    }>()._embedded.branding[0]?.name;
  expect(await readName()).toBe('Before');
  await api.query(`update accounts set name = 'After'`);
  return readName;
}

test('while an office’s content counts as known, no visitor’s request asks for it again', async () => {
  const readName = await begin(600_000);
  expect([await readName(), await readName()]).toEqual(['Before', 'Before']);
});

test('what an office changes is on its site once that time is over', async () => {
  const readName = await begin(100);
  await expect.poll(readName, { timeout: 10_000 }).toBe('After');
});

test('an office’s content is read by one connection, so that a process that starts has others for its voters', async () => {
  const api = await createTestApi();
  apis.push(api);
  await addOffice(api.test, { subdomain: 'adams' });
  const answer = await api.browser('adams.localhost:8080').get('/api/voter/branding');
  expect(answer.statusCode).toBe(200);
  const [voters] = api.database.readPoolUse().filter(({ pool }) => pool === 'voters');
  expect(voters).toMatchObject({ open: 1, most: 6 });
});

test.each([0, 50])(
  'an office whose content could not be read, kept for %i ms, is there once it can be, though nothing of it has changed',
  async (contentKeptMs) => {
    const api = await createTestApi({ contentKeptMs });
    apis.push(api);
    await addOffice(api.test, { subdomain: 'adams' });
    const read = async () =>
      (await api.browser('adams.localhost:8080').get('/api/voter/branding')).statusCode;
    api.expectFailures(/"code":"42P01"/);
    await api.query('alter table no_ballot_messages rename to away');
    expect(await read()).toBe(500);
    await api.query('alter table away rename to no_ballot_messages');
    await expect.poll(read, { timeout: 10_000 }).toBe(200);
  },
);
