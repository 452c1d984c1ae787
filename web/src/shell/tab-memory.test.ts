import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginSession, endSession, isEnding } from './session-end.ts';
import { discard, onOtherTab, recall, remember } from './tab-memory.ts';

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  vi.stubGlobal('window', new EventTarget());
});
afterEach(() => vi.unstubAllGlobals());

/** What another tab did to the memory that all of them share. */
const change = (key: string | null, newValue: string | null) =>
  window.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }));

test('a tab hears what another remembers, of its own key alone, and of a memory that was cleared', () => {
  const heard: (string | null)[] = [];
  const stop = onOtherTab('voter', (value) => heard.push(value));
  change('beacon.voter', '7');
  change('beacon.lastPing', '8');
  change(null, null);
  stop();
  change('beacon.voter', '9');
  expect(heard).toEqual(['7', null]);
});

test('where the browser keeps nothing, the tab remembers by itself until that is discarded', () => {
  const refuse = () => {
    throw new DOMException('Denied', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
  remember('ending', '7');
  expect(recall('ending')).toBe('7');
  discard('ending');
  expect(recall('ending')).toBeNull();
});

test('where the browser has no room, the tab goes by what it remembers itself, not by what was kept before', () => {
  localStorage.setItem('beacon.voter', '6');
  const { setItem } = localStorage;
  localStorage.setItem = () => {
    throw new DOMException('No room', 'QuotaExceededError');
  };
  remember('voter', '7');
  expect(recall('voter')).toBe('7');
  localStorage.setItem = setItem;
  remember('voter', '8');
  // Another tab's word is the newest again.
  localStorage.setItem('beacon.voter', '9');
  expect(recall('voter')).toBe('9');
});

test('a log-out that has not reached the server is of its voter, or of anybody where the voter is not known', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  vi.spyOn(console, 'info').mockImplementation(() => {});
  const leave = async (voterId: number | null) => {
    await new Promise<void>((resolve) => {
      void endSession(voterId, resolve);
    });
    return [isEnding(7), isEnding(8)];
  };
  expect([isEnding(7), isEnding(8)]).toEqual([false, false]);
  expect(await leave(7)).toEqual([true, false]);
  expect(await leave(null)).toEqual([true, true]);
  await beginSession(async () => ({ kind: 'answered', answer: null }));
  expect(recall('ending')).toBeNull();
  // The two that still wait look once more, and find nothing to end.
  window.dispatchEvent(new Event('online'));
  vi.restoreAllMocks();
});
