import { EventEmitter, once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import { announceChanges } from '../ballots/index.ts';
import { Streams, streamLimits } from './streams.ts';

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

  test('learns at its start as of when its own office’s ballots are', async () => {
    for (const [account, at] of [
      [adams, '2026-10-05T12:00:00Z'],
      [brook, '2026-10-06T12:00:00Z'],
    ] as const)
      await api.query(
        `insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at, rows_read, rows_refused, report)
         values ($1, 'voter-focus-ballots', 'b.csv', sha256('x'), 'done', 'operator:x', $2, $2, 1, 0, '{"holds": "ballots"}')`,
        [account, at],
      );
    const stream = await openWhenListening('adams.localhost', await signIn('adams.localhost'));
    await vi.waitFor(() => expect(stream.events()).toHaveLength(1));
    expect(stream.events()).toEqual([{ as_of: '2026-10-05T12:00:00.000Z' }]);
    stream.close();
    await api.query('delete from imports');
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

  test('of one voter has no more streams than the limit where all are asked for at once', async () => {
    const cookie = await signIn('adams.localhost', { lastname: 'Crowded' });
    (await openWhenListening('adams.localhost', cookie)).close();
    const all = () =>
      Promise.all(
        Array.from({ length: 3 * streamLimits.ofVoter }, () => open('adams.localhost', cookie)),
      );
    await vi.waitFor(async () => {
      const streams = await all();
      for (const stream of streams) stream.close();
      expect(streams.filter(({ status }) => status === 200)).toHaveLength(streamLimits.ofVoter);
    });
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

/** A connection on which one request for a stream was written, and what came back. */
function connectTo(cookie: string, more = '') {
  const socket = connect(port, '127.0.0.1');
  const request = (path: string) =>
    `GET ${path} HTTP/1.1\r\nhost: adams.localhost\r\ncookie: ${cookie}\r\n\r\n`;
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  socket.write(request('/api/voter/live') + (more && request(more)));
  return { socket, request, closed, text: () => text };
}

test.each(['once the stream is open', 'together with the stream’s'])(
  'a second request on a stream’s connection, sent %s, ends the stream and is never answered inside it',
  async (when) => {
    const cookie = await signIn('adams.localhost');
    (await openWhenListening('adams.localhost', cookie)).close();
    const isTogether = when.startsWith('together');
    const { socket, request, closed, text } = connectTo(cookie, isTogether ? '/healthz' : '');
    if (!isTogether) {
      await vi.waitFor(() => expect(text()).toContain('data: '));
      socket.write(request('/healthz'));
    }
    await closed;
    expect(text()).not.toContain('{"status"');
  },
);

test('a stream has the headers of every answer, and ends with its connection', async () => {
  const cookie = await signIn('adams.localhost');
  (await openWhenListening('adams.localhost', cookie)).close();
  const { socket, text } = connectTo(cookie);
  await vi.waitFor(() => expect(text()).toContain('data: '));
  const [head, body = ''] = text().split('\r\n\r\n');
  const headers = head?.toLowerCase();
  for (const header of [
    'connection: close',
    // A proxy before us passes events on at once.
    'x-accel-buffering: no',
    'cache-control: no-store',
    'x-content-type-options: nosniff',
  ])
    expect(headers).toContain(header);
  // After a restart not everybody comes back in the same second.
  const [, retry] = /^retry: (\d+)\n/.exec(body) ?? [];
  expect(Number(retry)).toBeGreaterThanOrEqual(2_000);
  expect(Number(retry)).toBeLessThanOrEqual(10_000);
  socket.destroy();
});

test('there is room for as many streams as a voter, a network and a process may have, and for one more when one ends', () => {
  const streams = new Streams({ ofVoter: 2, ofNetwork: 3, ofProcess: 4 });
  const opened: EventEmitter[] = [];
  const add = (voter: number, network: string) => {
    const of = { accountId: adams, voterId: voter as VoterId, network };
    if (!streams.hasRoom(of)) return false;
    const socket = Object.assign(new EventEmitter(), {
      ...{ writableLength: 0, write: () => true, destroy: () => {}, destroySoon: () => {} },
    });
    streams.add(of, socket as unknown as Socket, { as_of: null });
    opened.push(socket);
    return true;
  };
  expect([add(1, 'a'), add(1, 'a'), add(1, 'b')]).toEqual([true, true, false]);
  expect([add(2, 'a'), add(3, 'a')]).toEqual([true, false]);
  expect([add(3, 'b'), add(4, 'c')]).toEqual([true, false]);
  // The first was of the fullest voter, the fullest network and the process.
  opened[0]?.emit('close');
  expect([add(1, 'a'), add(1, 'c'), add(5, 'c')]).toEqual([true, false, false]);
  streams.close();
});

test('a stream that ends takes no other of its office along', () => {
  const streams = new Streams({ ofVoter: 9, ofNetwork: 9, ofProcess: 9 });
  const read: string[] = [];
  const open = (name: string, accountId: AccountId) => {
    const socket = Object.assign(new EventEmitter(), {
      ...{ writableLength: 0, destroy: () => {}, destroySoon: () => {} },
      write: (text: string) => void read.push(`${name} ${text.includes('within_ms')}`),
    });
    const of = { accountId, voterId: 1 as VoterId, network: 'n' };
    streams.add(of, socket as unknown as Socket, { as_of: null });
    return socket;
  };
  const first = open('first', adams);
  open('second', adams);
  open('foreign', 0 as AccountId);
  read.length = 0;
  streams.announce(adams);
  first.emit('close');
  streams.announce(adams);
  expect(read).toEqual(['first true', 'second true', 'second true']);
  streams.close();
});

/** A stream of an office, and what its browser has read. */
function openQuietly(streams: Streams) {
  const read: string[] = [];
  const socket = Object.assign(new EventEmitter(), {
    ...{ writableLength: 0, write: (text: string) => void read.push(text) },
    destroySoon: () => void socket.emit('close'),
    destroy: () => void socket.emit('close'),
  });
  const of = { accountId: adams, voterId: 1 as VoterId, network: 'n' };
  streams.add(of, socket as unknown as Socket, { as_of: null });
  return { socket, read };
}

test('many dashboards of an office fetch their news one after the other, about five hundred a second', () => {
  const many = 1_500;
  const streams = new Streams({ ofVoter: many, ofNetwork: many, ofProcess: many });
  const opened = Array.from({ length: many }, () => openQuietly(streams));
  streams.announce(adams);
  for (const { read } of opened) expect(read.at(-1)).toBe('data: {"within_ms":3000}\n\n');
  streams.close();
});

test('a stream shows every half minute that it lives, and ends after ten to twelve minutes', () => {
  vi.useFakeTimers();
  try {
    const streams = new Streams();
    const { socket, read } = openQuietly(streams);
    let isClosed = false;
    socket.once('close', () => {
      isClosed = true;
    });
    vi.advanceTimersByTime(30_000);
    // A comment, which a browser passes over.
    expect(read.slice(1)).toEqual([':\n\n']);
    vi.advanceTimersByTime(9.5 * 60_000);
    expect([isClosed, read.length > 20]).toEqual([false, true]);
    vi.advanceTimersByTime(2.5 * 60_000);
    expect(isClosed).toBe(true);
    streams.close();
  } finally {
    vi.useRealTimers();
  }
});

test('a browser that stops reading loses its stream, and its place is free', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  const [writer] = (await once(server, 'connection')) as [Socket];
  const streams = new Streams({ ofVoter: 1, ofNetwork: 1, ofProcess: 1 });
  const of = { accountId: adams, voterId: 1 as VoterId, network: 'n' };
  streams.add(of, writer, { as_of: null });
  expect(streams.hasRoom(of)).toBe(false);
  writer.write('x'.repeat(8_000_000)); // more than the system takes for a reader that does not read
  streams.announce(adams);
  await vi.waitFor(() => expect(streams.hasRoom(of)).toBe(true));
  streams.close();
  reader.destroy();
  server.close();
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
