import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { AccountId } from '../../platform/ids.ts';
import { discardReplacedImages } from '../accounts/index.ts';

const host = 'adams.localhost';
let api: TestApi;
let adams: AccountId;
let editor: TestPerson;

beforeEach(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  await addOffice(api.test, { subdomain: 'lake' });
  editor = await addPerson(api, { accountId: adams, host }, 'Edda Moss', ['editor']);
});
afterEach(() => api.close());
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
    images: { kind: string; address: string | null; undo: string | null }[];
  }>().images;

test('an editor gives the office a logo, which voters get, and takes it away, both on record', async () => {
  const logo = png(1000);
  expect((await replace('logo', logo)).statusCode).toBe(204);
  const [{ address } = { address: null }] = await list();
  const shown = await api.browser(host).get(address ?? '');
  expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/png']);
  expect(shown.rawPayload.equals(logo)).toBe(true);
  // An SVG that is opened directly is a document, which could run a script.
  expect(shown.headers['content-security-policy']).toBe("default-src 'none'; sandbox");
  expect((await remove('logo')).statusCode).toBe(204);
  expect(await list()).toEqual([
    { kind: 'logo', address: null, undo: 'restore' },
    { kind: 'background', address: null, undo: null },
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

/** What docs/console.md promises. */
const limits = { logo: 256 * 1024, background: 2 * 1024 * 1024 };

test.each([
  ['logo', -1, 204],
  ['logo', 0, 204],
  ['logo', 1, 422],
  ['background', -1, 204],
  ['background', 0, 204],
  ['background', 1, 413],
] as const)('a %s of the limit and %i bytes is answered %i', async (kind, more, status) => {
  expect((await replace(kind, png(limits[kind] + more))).statusCode).toBe(status);
});

const undo = (kind: string, from: string | null) =>
  editor.browser.post(`/api/office/images/${kind}/undo`, { from });
const logoNow = async () => (await list())[0] ?? { address: null, undo: null };

test('the last change is undone, and the undoing too, for the same bytes and both on record', async () => {
  for (const size of [701, 702]) await replace('background', png(size));
  for (const size of [600, 601]) await replace('logo', png(size));
  const first = await logoNow();
  await replace('logo', png(602));
  const second = await logoNow();
  expect(second).toMatchObject({ undo: 'restore' });
  const [last, earlier] = await api.query<{ details: { sha256: { from: string; to: string } } }>(
    `select details from audit_log where action = 'account.image' order by audit_id desc limit 2`,
  );
  expect(last?.details.sha256.from).toBe(earlier?.details.sha256.to);
  expect((await undo('logo', second.address)).statusCode).toBe(204);
  expect(await logoNow()).toEqual(first);
  // Each kind has its own.
  const background = async () => (await list())[1]?.address ?? '';
  expect((await undo('background', await background())).statusCode).toBe(204);
  for (const [address, size] of [
    [first.address ?? '', 601],
    [await background(), 701],
  ] as const)
    expect((await api.browser(host).get(address)).rawPayload.equals(png(size))).toBe(true);
  expect((await undo('logo', first.address)).statusCode).toBe(204);
  expect(await logoNow()).toEqual(second);
  await remove('logo');
  expect((await undo('logo', null)).statusCode).toBe(204);
  expect(await logoNow()).toEqual({ ...second, undo: 'remove' });
  const [newest] = await api.query<{ details: object }>(
    `select details from audit_log where action = 'account.image' order by audit_id desc limit 1`,
  );
  expect(newest).toMatchObject({ details: { undone: true, sha256: { from: null } } });
});

test('an image that is taken away leaves the other', async () => {
  for (const kind of ['logo', 'background']) await replace(kind, png(900));
  const [, background] = await list();
  expect(background?.address).toContain('background');
  expect((await remove('logo')).statusCode).toBe(204);
  expect(await list()).toEqual([{ kind: 'logo', address: null, undo: 'restore' }, background]);
});

test('the same file once more is no change that could be undone', async () => {
  await replace('logo', png(611));
  await replace('logo', png(612));
  const before = await logoNow();
  await replace('logo', png(612));
  await undo('logo', before.address);
  expect(await logoNow()).not.toEqual(before);
});

test('an undo of what somebody changed meanwhile is refused', async () => {
  await replace('logo', png(621));
  const seen = await logoNow();
  await replace('logo', png(622));
  const refused = await undo('logo', seen.address);
  expect(refused.json()).toMatchObject({
    status: 409,
    detail: 'Somebody changed this image meanwhile. Look at it again.',
  });
});

test('an image that was replaced more than 30 days ago is gone', async () => {
  await replace('logo', png(631));
  await replace('logo', png(632));
  const { system } = api.test.database;
  const days = 30 * 86_400_000;
  const replacedAt = new Date('2026-11-01T12:00:00Z');
  await api.query('update replaced_images set replaced_at = $1', [replacedAt]);
  await discardReplacedImages(system, new Date(replacedAt.getTime() + days));
  expect(await logoNow()).toMatchObject({ undo: 'restore' });
  await discardReplacedImages(system, new Date(replacedAt.getTime() + days + 1));
  const now = await logoNow();
  expect(now.undo).toBeNull();
  expect((await undo('logo', now.address)).json()).toMatchObject({ status: 409 });
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
  for (const answer of [
    await replace('logo', png(500)),
    await remove('logo'),
    await undo('logo', null),
  ])
    expect(answer.json()).toMatchObject({ status: 403, 'error-code': 7001 });
});

test('an image has one address, which a shorter beginning of it is not: browsers keep it for a year', async () => {
  expect((await replace('logo', png(64))).statusCode).toBe(204);
  const visitor = api.browser(host);
  const branding = (await visitor.get('/api/voter/branding')).json();
  const address: string = branding._embedded.branding[0].logo_url;
  expect((await visitor.get(address)).statusCode).toBe(200);
  for (const other of [address.slice(0, -1), address.slice(0, -31), `${address.slice(0, -1)}x`])
    expect((await visitor.get(other)).statusCode, other).toBe(404);
});
