import { afterEach, expect, test, vi } from 'vitest';
import { checkCode, looksLikeCode } from './check-code.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each([
  ['7K3M9QXZ', true],
  ['7k3m-9qxz', true],
  // As a mail program, a phone or a reader may write it.
  ['7k3m\u20139qxz', true],
  ['7K3M\u20119QXZ', true],
  [' 7K3M 9QXZ ', true],
  // In the digits of an Arabic keyboard, and as a Japanese one writes it.
  ['٧K٣M-٩QXZ', true],
  ['７Ｋ３Ｍ－９ＱＸＺ', true],
  ['7K3M9QX', false],
  ['7K3M9QXZ1', false],
  ['', false],
])('%j may be a code: %s', (typed, expected) => {
  expect(looksLikeCode(typed)).toBe(expected);
});

test('a code that is none, one too many tries and a fault are told apart', async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  const checkAt = (status: number, headers: Record<string, string> = {}, body: object = {}) => {
    vi.stubGlobal('fetch', async () => {
      const problem = { title: 'Title', status, detail: 'Detail' };
      const type = status === 200 ? 'application/json' : 'application/problem+json';
      return new Response(JSON.stringify(status === 200 ? body : problem), {
        ...{ status, headers: { 'content-type': type, ...headers } },
      });
    });
    return checkCode('7K3M9QXZ');
  };
  const message = { channel: 'sms', topic: 'status', sent_on: '2026-11-03' };
  expect(await checkAt(200, {}, message)).toEqual({ kind: 'checked', checked: { message } });
  expect(await checkAt(404)).toEqual({ kind: 'checked', checked: { message: null } });
  expect(await checkAt(429, { 'retry-after': '90' })).toEqual({ kind: 'too-many', seconds: 90 });
  for (const status of [400, 500, 503])
    expect(await checkAt(status)).toMatchObject({ kind: 'refused', problem: { status } });
});
