import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { countByStatus, loadClosed, loadOpen } from './load.ts';

const next = () => ({ kind: 'any', bytes: Buffer.from('GET / HTTP/1.1\r\nhost: a\r\n\r\n') });

/** Three connections that ask one after the other, and requests that come at a rate. */
const ways = {
  closed: (port: number) => loadClosed(port, next, { connections: 3, ms: 200 }),
  open: (port: number) => loadOpen(port, next, { perSecond: 200, ms: 200 }),
};

async function load(way: keyof typeof ways, answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const answers = await ways[way](port);
  server.close();
  server.closeAllConnections();
  return countByStatus(answers);
}

describe.each(['closed', 'open'] as const)('%s', (way) => {
  test('a server that closes each connection after its answer is asked over new ones to the end', async () => {
    const counts = await load(way, (_request, response) => {
      response.writeHead(200, { connection: 'close', 'content-length': 2 }).end('ok');
    });
    expect(Object.keys(counts)).toEqual(['200']);
    expect(counts[200]).toBeGreaterThan(3);
  });

  test('a connection that is closed while nobody asks is opened anew, and no request is lost', async () => {
    const counts = await load(way, (_request, response) => {
      response.writeHead(200, { 'content-length': 2 }).end('ok', () => response.socket?.destroy());
    });
    expect(Object.keys(counts)).toEqual(['200']);
    expect(counts[200]).toBeGreaterThan(3);
  });

  test('a kept connection that is closed just when it is used again is opened anew, and no request is lost', async () => {
    const used = new WeakSet();
    const counts = await load(way, ({ socket }, response) => {
      if (used.has(socket)) return void socket.destroy();
      used.add(socket);
      response.writeHead(200, { 'content-length': 2 }).end('ok');
    });
    expect(Object.keys(counts)).toEqual(['200']);
    expect(counts[200]).toBeGreaterThan(3);
  });

  test('a server that hangs up instead of answering is seen', async () => {
    const counts = await load(way, (request) => void request.socket.destroy());
    expect(Object.keys(counts)).toEqual(['0']);
  });
});
