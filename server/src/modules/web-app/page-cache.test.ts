import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createRecent } from '../../platform/recent.ts';
import { createOwnPage, createSharedPage } from './page-cache.ts';

const page = (html: string) => ({
  ...{ html, shared: [], status: 200, styleHashes: [], redirect: undefined },
});
const make = (html: string) => createSharedPage(page(html) as never);
const textOf = async (one: Awaited<ReturnType<typeof make>>) =>
  (await one.compressed('identity')).body.toString();

test('of more pages than fit, the page that nobody asked for longest is made anew', async () => {
  const cache = createRecent<Awaited<ReturnType<typeof make>>>(2);
  const made: string[] = [];
  const get = async (key: string) =>
    textOf(
      await cache.getOr(key, () => {
        made.push(key);
        return make(key);
      }),
    );
  for (const key of ['a', 'b', 'a', 'b']) expect(await get(key)).toBe(key);
  expect(made).toEqual(['a', 'b']);
  // The second is older now, and leaves.
  for (const key of ['a', 'c', 'a', 'c', 'b']) expect(await get(key)).toBe(key);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('an encoding that a browser refuses is not used', async () => {
  const shared = await make('<p>hello</p>');
  for (const [accepted, encoding] of [
    ['gzip, br', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['BR;q=0.0, GZIP;q=0.5', 'gzip'],
    ['gzip;q=0, br; q=0', 'identity'],
    [undefined, 'identity'],
  ] as const)
    expect((await shared.compressed(accepted)).encoding, accepted).toBe(encoding);
});

test('a page that could not be made is tried again', async () => {
  const cache = createRecent<Awaited<ReturnType<typeof make>>>(2);
  const failing = cache.getOr('a', async () => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await textOf(await cache.getOr('a', () => make('a')))).toBe('a');
});

test('a shared page comes in each encoding, and one’s own in the two that can be put together', async () => {
  const shared = await make('<p>hello</p>');
  const own = createOwnPage(page('<p>hello</p>') as never);
  const br = await shared.compressed('br, gzip');
  expect([br.encoding, brotliDecompressSync(br.body).toString()]).toEqual(['br', '<p>hello</p>']);
  for (const one of [shared, own]) {
    const gzip = await one.compressed('gzip');
    expect([gzip.encoding, gunzipSync(gzip.body).toString()]).toEqual(['gzip', '<p>hello</p>']);
    const plain = await one.compressed(undefined);
    expect([plain.encoding, plain.body.toString()]).toEqual(['identity', '<p>hello</p>']);
  }
  expect((await own.compressed('br')).encoding).toBe('identity');
});
