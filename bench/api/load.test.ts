import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { countByStatus, loadClosed } from './load.ts';

const next = () => ({ kind: 'any', bytes: Buffer.from('GET / HTTP/1.1\r\nhost: a\r\n\r\n') });

async function load(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const answers = await loadClosed(port, next, { connections: 3, ms: 600 });
  server.close();
  server.closeAllConnections();
  return countByStatus(answers);
}

test('a server that closes each connection after its answer is asked over new ones to the end', async () => {
  const counts = await load((_request, response) => {
    response.writeHead(200, { connection: 'close', 'content-length': 2 }).end('ok');
  });
  expect(Object.keys(counts)).toEqual(['200']);
  expect(counts[200]).toBeGreaterThan(3);
});

test('a connection that is closed while nobody asks is opened anew, and no request is lost', async () => {
  const counts = await load((_request, response) => {
    response.writeHead(200, { 'content-length': 2 }).end('ok', () => response.socket?.destroy());
  });
  expect(Object.keys(counts)).toEqual(['200']);
  expect(counts[200]).toBeGreaterThan(3);
});

test('a server that hangs up instead of answering is seen', async () => {
  const counts = await load((request) => void request.socket.destroy());
  expect(Object.keys(counts)).toEqual(['0']);
});
