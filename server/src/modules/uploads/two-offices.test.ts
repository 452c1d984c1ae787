import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson } from '../../../../testing/people.ts';
import { writeRoll } from '../../../../testing/roll.ts';
import { checkUpload, importUpload, uploadFile } from '../../../../testing/uploads.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

test('the example voters of a file are the office’s own, where another office has the same voter IDs', async () => {
  const asRoll = { format: 'beacon-voters', is_full: false };
  const browserOf = async (subdomain: string) => {
    const host = `${subdomain}.localhost`;
    const accountId = await addOffice(api.test, { subdomain });
    const importer = await addPerson(api, { accountId, host }, 'Ina Wolf', ['importer']);
    await importer.signIn();
    return importer.browser;
  };
  const load = async (browser: Awaited<ReturnType<typeof browserOf>>, content: string) => {
    const id = await uploadFile(browser, 'roll.csv', content);
    const checked = await checkUpload(api, browser, id, asRoll);
    expect((await importUpload(api, browser, checked)).state).toBe('imported');
    return checked.preview?.samples.map(({ voter, name }) => `${voter} ${name}`);
  };
  await load(await browserOf('lake'), writeRoll(4, 'Other'));
  const adams = await browserOf('adams');
  const [header, ...rows] = writeRoll(4).trimEnd().split('\n');
  expect(await load(adams, [header, rows[0], ''].join('\n'))).toEqual(['R0 Vera Fox']);
  expect(await load(adams, [header, ...rows.slice(1), ''].join('\n'))).toEqual(
    ['R1', 'R2', 'R3'].map((voter) => `${voter} Vera Fox`),
  );
});
