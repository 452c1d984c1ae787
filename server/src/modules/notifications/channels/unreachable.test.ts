import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../../../../../testing/ports.ts';
import { outcomeOfNetworkError, providerCall } from './provider.ts';

const call = (url: string, more: RequestInit = {}) =>
  fetch(url, { method: 'POST', body: 'a message', ...providerCall(), ...more }).then(
    () => {
      throw new Error('Somebody answered.');
    },
    (error: unknown) => outcomeOfNetworkError(error),
  );

// A name may stand for several addresses, and each of them refuses.
test.each(['127.0.0.1', 'localhost'])(
  'a provider that does not run at %s has nothing, so the message goes again',
  async (host) => {
    expect(await call(`http://${host}:${await findFreePort()}`)).toEqual({
      kind: 'retryable',
      code: 'ECONNREFUSED',
    });
  },
);

test('a provider that does not answer in time may have the message', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const signal = AbortSignal.timeout(50);
  expect(await call(`http://127.0.0.1:${port}`, { signal })).toEqual({
    kind: 'unknown',
    code: 'TIMEOUT',
  });
});

test('what is thrown without a code says nothing of whether the provider has the message', () => {
  expect(outcomeOfNetworkError(new Error('It broke.'))).toEqual({
    kind: 'unknown',
    code: 'NETWORK',
  });
  const all = new AggregateError([
    Object.assign(new Error('No way there.'), { code: 'EHOSTUNREACH' }),
  ]);
  expect(outcomeOfNetworkError(new TypeError('fetch failed', { cause: all }))).toEqual({
    kind: 'retryable',
    code: 'EHOSTUNREACH',
  });
});
