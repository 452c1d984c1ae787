import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import type { AccountId } from '../../platform/ids.ts';
import { announceChanges } from '../ballots/index.ts';
import { streamLimits } from './streams.ts';

let api: TestApi;
let port: number;
let adams: AccountId;
let brook: AccountId;

async function listenOnAnyPort({ app }: TestApi): Promise<number> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  brook = await addOffice(api.test, { subdomain: 'brook' });
  await addVoter(api.test, adams);
  await addVoter(api.test, adams, { lastname: 'Crowded' });
  await addVoter(api.test, brook);
  port = await listenOnAnyPort(api);
});
afterAll(() => api.close());

/** @returns the session's cookie */
async function signIn(host: string, name: Record<string, unknown> = {}, at = api): Promise<string> {
  const answer = await at.browser(host).post('/api/voter/session', typed(name));
  const cookies = [answer.headers['set-cookie'] ?? []].flat();
  return cookies.map((cookie) => cookie.split(';')[0]).join('; ');
}

/** Opens a stream. */
async function open(host: string, cookie: string, to = port) {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get({ port: to, path: '/api/voter/live', headers: { host, cookie } }, resolve).on(
      'error',
      reject,
    ),
  );
  let text = '';
  let isEnded = false;
  response.setEncoding('utf8');
  response.on('data', (part: string) => {
    text += part;
  });
  response.on('end', () => {
    isEnded = true;
  });
  response.on('error', () => {});
  return {
    status: response.statusCode,
    type: response.headers['content-type'],
    /** What has come so far. */
    events: () => [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data)),
    isEnded: () => isEnded,
    close: () => response.destroy(),
  };
}

/** A process listens for changes soon after its start. */
function openWhenListening(host: string, cookie: string, to = port) {
  return vi.waitFor(
    async () => {
      const stream = await open(host, cookie, to);
      expect(stream.status).toBe(200);
      return stream;
    },
    { timeout: 10_000 },
  );
}

const commit = (...accounts: AccountId[]) =>
  api.test.database.transaction(async (tx) => {
    for (const account of accounts) await announceChanges(tx, account);
  });

describe('an open dashboard', () => {
  test('learns of its own office’s changes once they are committed, once each, and of nobody else’s', async () => {
    const at = await openWhenListening('adams.localhost', await signIn('adams.localhost'));
    const elsewhere = await openWhenListening('brook.localhost', await signIn('brook.localhost'));
    expect(at.type).toContain('text/event-stream');
    await vi.waitFor(() => expect(at.events()).toEqual([{ as_of: null }]));

    const undone = api.test.database.transaction(async (tx) => {
      await announceChanges(tx, adams);
      throw new Error('no commit');
    });
    await expect(undone).rejects.toThrow('no commit');
    await commit(adams, adams, adams);
    await vi.waitFor(() => expect(at.events()).toHaveLength(2), { timeout: 2_000, interval: 5 });
    await commit(brook);
    await vi.waitFor(() => expect(elsewhere.events()).toHaveLength(2));
    expect(at.events()).toEqual([{ as_of: null }, { within_ms: expect.any(Number) }]);
    at.close();
    elsewhere.close();
  });

  test('goes on learning after the database has ended the connection', async () => {
    const cookie = await signIn('adams.localhost');
    const before = await openWhenListening('adams.localhost', cookie);
    await api.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen ballot_changes'`,
    );
    await vi.waitFor(() => expect(before.isEnded()).toBe(true), { timeout: 5_000 });
    const after = await openWhenListening('adams.localhost', cookie);
    await commit(adams);
    await vi.waitFor(() => expect(after.events()).toHaveLength(2), { timeout: 5_000 });
    after.close();
  });

  test('of one voter too many looks for itself, until another is closed', async () => {
    const cookie = await signIn('adams.localhost', { lastname: 'Crowded' });
    const streams = [await openWhenListening('adams.localhost', cookie)];
    while (streams.length < streamLimits.ofVoter)
      streams.push(await open('adams.localhost', cookie));
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    expect((await open('adams.localhost', cookie)).status).toBe(204);
    streams[0]?.close();
    streams.push(await openWhenListening('adams.localhost', cookie));
    for (const stream of streams) stream.close();
  });

  test('has no stream without a session, and does not keep one alive', async () => {
    expect((await open('adams.localhost', '')).status).toBe(403);
    const cookie = await signIn('adams.localhost');
    const later = (minutes: number) =>
      api.clock.set(new Date(api.clock.now().getTime() + minutes * 60_000).toISOString());
    later(20);
    const stream = await openWhenListening('adams.localhost', cookie);
    stream.close();
    later(10);
    expect((await open('adams.localhost', cookie)).status).toBe(403);
  });
});

test('a server that stops ends its streams and does not wait for them', async () => {
  const other = await createTestApi();
  const office = await addOffice(other.test, { subdomain: 'adams' });
  await addVoter(other.test, office);
  const to = await listenOnAnyPort(other);
  const cookie = await signIn('adams.localhost', {}, other);
  const stream = await openWhenListening('adams.localhost', cookie, to);
  await other.close();
  await vi.waitFor(() => expect(stream.isEnded()).toBe(true));
}, 30_000);
