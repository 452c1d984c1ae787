import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { pg } from '../../../../testing/sql.ts';

const apis: TestApi[] = [];
afterAll(() => Promise.all(apis.map((api) => api.close())));
afterEach(() => vi.restoreAllMocks());

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

test('one statement asks for the content of all offices that visitors look at, and finds whose is new', async () => {
  // Before any connection is opened: each keeps the method that it finds.
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const api = await createTestApi({ contentKeptMs: 600_000 });
  apis.push(api);
  const subdomains = ['adams', 'baker', 'clark'];
  for (const subdomain of subdomains) await addOffice(api.test, { subdomain, name: subdomain });
  const readNames = async () => {
    const names: string[] = [];
    for (const subdomain of subdomains) {
      const page = await api.browser(`${subdomain}.localhost:8080`).get('/api/voter/branding');
      const { branding } = page.json<{ _embedded: { branding: { name: string }[] } }>()._embedded;
      names.push(branding[0]?.name ?? '');
    }
    return names;
  };
  const countUntil = async (later: () => number) => {
    vi.spyOn(performance, 'now').mockImplementation(later);
    const before = query.mock.calls.length;
    return { names: await readNames(), statements: query.mock.calls.length - before };
  };
  expect(await readNames()).toEqual(subdomains);

  const since = performance.now();
  expect(await countUntil(() => since + 600_001)).toEqual({ names: subdomains, statements: 1 });
  await api.query(`update accounts set name = 'After' where subdomain = 'clark'`);
  const { names } = await countUntil(() => since + 1_200_002);
  expect(names).toEqual(['adams', 'baker', 'After']);
  // All were looked at once more, and nothing of them is new.
  expect(await countUntil(() => since + 1_800_003)).toEqual({ names, statements: 1 });
});
