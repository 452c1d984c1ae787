import { afterEach, expect, test, vi } from 'vitest';
import { type CallError, call } from './client.ts';

const json = { 'content-type': 'application/json' };
const problem = { 'content-type': 'application/problem+json' };
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Stands in for the network. @returns what the console sent, as it would leave the browser */
function answer(body: BodyInit | null, init: ResponseInit) {
  const sent: { url: string; request: RequestInit }[] = [];
  vi.stubGlobal('fetch', async (url: string, request: RequestInit) => {
    sent.push({ url, request });
    return new Response(body, init);
  });
  return sent;
}

const refused = (more: object) =>
  answer(JSON.stringify({ title: 'Title', status: 422, detail: 'Detail', ...more }), {
    ...{ status: 422, headers: problem },
  });
const errorOf = (asked: Promise<unknown>): Promise<CallError> =>
  asked.then(
    () => {
      throw new Error('It was answered.');
    },
    (error) => error,
  );

test('what a list is not filtered by is not in its address', async () => {
  const sent = answer('{"is_feed_late":false}', { headers: json });
  const query = { state: 'open', sort: 'deadline', direction: 'ascending' } as const;
  await errorOf(call('listFixes', { query: { ...query, defect: undefined } }));
  expect(sent[0]?.url).toBe('/api/office/fixes?state=open&sort=deadline&direction=ascending');
  expect(sent[0]?.request).toMatchObject({ method: 'GET', credentials: 'same-origin' });
});

test('a piece of a file goes as it is, anything else as JSON, also a POST of nothing', async () => {
  const sent = answer(null, { status: 204 });
  const body = new ArrayBuffer(3);
  await call('sendPiece', { params: { upload_id: 7, piece: 0 }, query: { sha256: 'ab' }, body });
  await call('deleteOfficeSession', {});
  expect(sent[0]).toMatchObject({
    url: '/api/office/uploads/7/pieces/0?sha256=ab',
    request: { body, headers: { 'content-type': 'application/octet-stream' } },
  });
  expect(sent[1]?.request.body).toBeUndefined();
  await call('startPasskeySignIn', {});
  expect(sent[2]?.request).toMatchObject({
    ...{ method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
  });
});

test('a refusal says what is wrong with each field, and else what the server says, with its number', async () => {
  const ask = () => errorOf(call('getFixReport', { query: { by: 'day' } }));
  refused({ validation_messages: { by: { wrong: 'Choose one.', other: 'No.' } } });
  expect(await ask()).toMatchObject({
    ...{ message: 'Choose one.', status: 422, fields: { by: 'Choose one.' } },
  });
  refused({ err_id: 'e-9', 'error-code': 7001 });
  expect(await ask()).toMatchObject({ message: 'Detail Number for support: e-9', code: 7001 });
  answer('<h1>Bad gateway</h1>', { status: 502, headers: { 'content-type': 'text/html' } });
  expect(await ask()).toMatchObject({ status: 502, message: expect.stringMatching(/in a minute/) });
  answer('{"rows":7}', { headers: json });
  expect(await ask()).toMatchObject({ status: 0, message: expect.stringMatching(/page again/) });
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await ask()).toMatchObject({ status: 0, message: expect.stringMatching(/connection/) });
});

test('a file is saved under the name that the server gives it', async () => {
  const disposition = { 'content-disposition': 'attachment; filename="fixes.csv"' };
  answer('a,b', { headers: { 'content-type': 'text/csv', ...disposition } });
  const file = await call('downloadReport', { query: { report: 'fixes' } });
  expect(file.name).toBe('fixes.csv');
  expect(await file.content.text()).toBe('a,b');
});

test('a refusal is read with and without a charset', async () => {
  for (const charset of ['', '; charset=utf-8']) {
    const headers = { 'content-type': `application/problem+json${charset}` };
    answer(JSON.stringify({ title: 'Title', status: 409, detail: 'Taken.' }), {
      ...{ status: 409, headers },
    });
    expect(await errorOf(call('getToday', {}))).toMatchObject({ message: 'Taken.', status: 409 });
  }
});

test('a file that breaks off is not saved as if it were whole', async () => {
  const broken = new ReadableStream({ start: (body) => body.error(new Error('cut off')) });
  answer(broken, { headers: { 'content-type': 'text/csv' } });
  expect(await errorOf(call('downloadReport', { query: { report: 'fixes' } }))).toMatchObject({
    ...{ status: 0, message: 'The file did not come whole. Try again.' },
  });
});

test('a call is waited for half a minute, and a file ten minutes', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const sent = answer('a,b', { headers: { 'content-type': 'text/csv' } });
  await call('downloadReport', { query: { report: 'fixes' } });
  await errorOf(call('getToday', {}));
  expect(timeout.mock.calls).toEqual([[600_000], [30_000]]);
  expect(sent.map(({ request }) => request.signal)).toEqual(
    timeout.mock.results.map(({ value }) => value),
  );
});
