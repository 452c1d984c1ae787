import type { TextAnswer } from '@ballot-beacon/contract/office/words';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';

const host = 'adams.localhost';
const text = 'messages:mail.sent.meaning';
const of = { text, language: 'english' } as const;
let api: TestApi;
let author: TestPerson;
let other: TestPerson;
/** The author's own, under the same name. */
let twin: TestPerson;

beforeAll(async () => {
  api = await createTestApi();
  const office = { accountId: await addOffice(api.test, { subdomain: 'adams' }), host };
  author = await addPerson(api, office, 'Edda Moss', ['editor']);
  other = await addPerson(api, office, 'Cole Reed', ['editor']);
  twin = await addPerson(api, office, 'edda  moss', ['editor']);
});
afterAll(() => api.close());
beforeEach(async () => {
  await api.query('delete from text_drafts');
  for (const one of [author, other, twin]) await one.signIn();
});

const address = `/api/office/text?text=${encodeURIComponent(text)}&language=english`;
const read = async ({ browser }: TestPerson) => (await browser.get(address)).json<TextAnswer>();
const save = async (more: string, version: number | null = null, by = author) => {
  const { product } = await read(author);
  const words = { title: '', body: `${product.body} ${more}` };
  return by.browser.post('/api/office/text/draft', { ...of, words, version });
};
const publish = async ({ browser }: TestPerson, version: number | undefined) =>
  (await browser.post('/api/office/text/publication', { ...of, version })).statusCode;

test('the draft that a second editor looked at is published, and none that took its place', async () => {
  await save('Look for it.');
  const { draft: seen } = await read(other);
  const gone = { ...of, version: seen?.version };
  expect((await author.browser.post('/api/office/text/draft/discard', gone)).statusCode).toBe(204);
  expect((await save('Leave it unopened.')).statusCode).toBe(200);
  expect(await publish(other, seen?.version)).toBe(409);
  expect((await save('Send it again.', seen?.version)).statusCode).toBe(409);
  const { draft, own } = await read(other);
  expect([own, draft?.words?.body]).toEqual([null, expect.stringContaining('Leave it unopened.')]);
  expect(await publish(other, draft?.version)).toBe(204);
});

test('a person with two ways to sign in is one author, who neither publishes nor reviews alone', async () => {
  await save('Look for it.');
  const { draft } = await read(twin);
  expect(draft).toMatchObject({ can_publish: false });
  expect(await publish(twin, draft?.version)).toBe(409);
  expect(await publish(other, draft?.version)).toBe(204);

  const [last] = (await read(other)).history;
  const undone = { ...of, version_id: last?.version_id };
  expect((await author.browser.post('/api/office/text/undo', undone)).statusCode).toBe(204);
  const [mine] = (await read(twin)).history;
  expect(mine).toMatchObject({ can_review: false });
  const review = async ({ browser }: TestPerson) =>
    (await browser.post(`/api/office/text/versions/${mine?.version_id}/review`, {})).statusCode;
  expect([await review(twin), await review(other)]).toEqual([409, 204]);
});

test('a draft that somebody else rewrote is theirs, who cannot publish it alone', async () => {
  await save('Look for it.');
  const { draft: first } = await read(other);
  expect((await save('Watch for it.', first?.version, other)).statusCode).toBe(200);
  const { draft } = await read(other);
  expect(draft).toMatchObject({ can_publish: false });
  expect(await publish(other, draft?.version)).toBe(409);
  expect(await publish(author, draft?.version)).toBe(204);
});
