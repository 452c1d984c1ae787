import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson } from '../../../../testing/people.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi({ contentKeptMs: 600_000 });
});
afterAll(() => api.close());

test('an administrator reads and changes settings as they are at this moment', async () => {
  const accountId = await addOffice(api.test, { subdomain: 'adams' });
  const there = { accountId, host: 'adams.localhost' };
  const { browser } = await addPerson(api, there, 'Ada Park', ['admin']);
  for (const contact_phone of ['(352) 555-0142', '(352) 555-0143']) {
    const text = JSON.stringify({ contact_phone });
    const checked = (await browser.post('/api/office/settings/check', { text })).json();
    expect(checked.changes).toMatchObject([{ at: 'contact_phone', to: contact_phone }]);
    const saved = await browser.patch('/api/office/settings', { text, version: checked.version });
    expect(saved.statusCode, saved.body).toBe(200);
    const file = await browser.get('/api/office/settings.json');
    expect(file.json()).toMatchObject({ contact_phone });
  }
});
