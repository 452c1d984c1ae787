import { mostImageBytes } from '@ballot-beacon/contract/office/images';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { AccountId } from '../../platform/ids.ts';

const host = 'adams.localhost';
let api: TestApi;
let adams: AccountId;
let editor: TestPerson;

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  await addOffice(api.test, { subdomain: 'lake' });
  editor = await addPerson(api, { accountId: adams, host }, 'Edda Moss', ['editor']);
});
afterAll(() => api.close());
beforeEach(() => editor.signIn());

const png = (bytes: number) =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(bytes - 8)]);
const replace = (kind: string, payload: Buffer) =>
  editor.browser.request({
    method: 'POST',
    url: `/api/office/images/${kind}`,
    headers: { host, 'content-type': 'application/octet-stream' },
    payload,
  });
const remove = (kind: string) =>
  editor.browser.request({
    method: 'DELETE',
    url: `/api/office/images/${kind}`,
    headers: { host },
  });
const list = async () =>
  (await editor.browser.get('/api/office/images')).json<{
    images: { kind: string; address: string | null }[];
  }>().images;

test('an editor gives the office a logo, which voters get, and takes it away, both on record', async () => {
  const logo = png(1000);
  expect((await replace('logo', logo)).statusCode).toBe(204);
  const [{ address } = { address: null }] = await list();
  const shown = await api.browser(host).get(address ?? '');
  expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/png']);
  expect(shown.rawPayload.equals(logo)).toBe(true);
  expect((await remove('logo')).statusCode).toBe(204);
  expect(await list()).toEqual([
    { kind: 'logo', address: null },
    { kind: 'background', address: null },
  ]);
  expect((await remove('logo')).statusCode).toBe(404);
  const entries = await api.query(
    `select actor, target, details from audit_log where action = 'account.image' order by audit_id`,
  );
  const sha256 = expect.stringMatching(/^[\da-f]{64}$/);
  expect(entries).toEqual([
    {
      actor: expect.stringMatching(/^person:/),
      target: 'logo',
      details: { sha256: { from: null, to: sha256 } },
    },
    {
      actor: expect.stringMatching(/^person:/),
      target: 'logo',
      details: { sha256: { from: sha256, to: null } },
    },
  ]);
});

test.each([
  ['logo', -1, 204],
  ['logo', 0, 204],
  ['logo', 1, 422],
  ['background', -1, 204],
  ['background', 0, 204],
  ['background', 1, 413],
] as const)('a %s of the limit and %i bytes is answered %i', async (kind, more, status) => {
  expect((await replace(kind, png(mostImageBytes[kind] + more))).statusCode).toBe(status);
});

test('what is no image is refused in a sentence, and the office keeps its own', async () => {
  await replace('logo', png(500));
  const before = await list();
  const refused = await replace('logo', Buffer.from('%PDF-1.7 a flyer'));
  expect(refused.json()).toMatchObject({
    status: 422,
    detail: 'This file is not a PNG, JPEG, WebP or SVG image.',
  });
  expect(await list()).toEqual(before);
});

test('a drawing is rewritten, so that nothing in it runs', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><script>x()</script><path d="M0 0"/></svg>';
  expect((await replace('logo', Buffer.from(svg))).statusCode).toBe(204);
  const [{ address } = { address: null }] = await list();
  const { body } = await api.browser(host).get(address ?? '');
  expect(body).toContain('<path');
  expect(body).not.toMatch(/script|onload/);
});

test('another office keeps its images', async () => {
  await replace('logo', png(700));
  const rows = await api.query('select distinct account_id from account_images');
  expect(rows).toEqual([{ account_id: adams }]);
});

test('a change asks for a sign-in of the last five minutes', async () => {
  api.clock.advance(5 * 60_000);
  for (const answer of [await replace('logo', png(500)), await remove('logo')])
    expect(answer.json()).toMatchObject({ status: 403, 'error-code': 7001 });
});
