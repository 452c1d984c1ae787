import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { createRenderTurns } from './render-turns.ts';

test('newcomers are let in between two renders, however many came', async () => {
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    socket.on('error', () => {});
  });
  const turnToRender = createRenderTurns(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const renders = 10;
  const newcomers = Array.from({ length: 300 }, () => connect(port, '127.0.0.1'));
  try {
    for (let render = 0; render < renders; render += 1) await turnToRender();
    expect(accepted).toBeGreaterThan(10 * renders);
  } finally {
    for (const socket of newcomers) socket.destroy();
    server.close();
  }
});

test('pages are rendered one after another', async () => {
  const turnToRender = createRenderTurns(createServer());
  const rounds: number[] = [];
  let round = 0;
  const countRounds = () => {
    round += 1;
    if (rounds.length < 5) setImmediate(countRounds);
  };
  countRounds();
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      await turnToRender();
      rounds.push(round);
    }),
  );
  expect(new Set(rounds).size).toBe(5);
});
