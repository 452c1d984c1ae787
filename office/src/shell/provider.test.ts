import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { goToProvider, leaveProvider, markAsWindow } from './provider.ts';
import { serve } from './show-screen.tsx';

let kept: Map<string, string>;
let left: string[];
let closed: number;

/** A tab of a browser at this address. */
function beAt(pathname: string, search = '', hash = '') {
  const assign = (url: string) => void left.push(url);
  vi.stubGlobal('location', { pathname, search, hash, assign });
}
beforeEach(() => {
  [kept, left, closed] = [new Map(), [], 0];
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal('window', { close: () => (closed += 1) });
});
afterEach(() => vi.unstubAllGlobals());

async function go(again = false): Promise<void> {
  const server = serve({ startProviderSignIn: { url: 'https://login.example/authorize' } });
  await goToProvider(again).finally(server.close);
}

test('after the provider the console goes on where it was, filter and all, and only once', async () => {
  beAt('/office/log', '?area=files', '#a1');
  await go();
  expect(left).toEqual(['https://login.example/authorize']);
  expect(leaveProvider()).toBe('/office/log?area=files#a1');
  expect(leaveProvider()).toBe('/office/');
  expect(closed).toBe(0);
});

test('a page on the way to the provider is none to go back to', async () => {
  beAt('/office/log');
  await go();
  for (const page of ['/office/signing-in', '/office/signed-in']) {
    beAt(page, '?code=1');
    await go();
  }
  expect(leaveProvider()).toBe('/office/log');
});

test('a window that was there for the sign-in alone is closed after it', async () => {
  beAt('/office/signing-in');
  markAsWindow();
  await go(true);
  leaveProvider();
  expect(closed).toBe(1);
});
