import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { call, onSessionEnded } from './client.ts';

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}
let answer: Answer | null = {};
let asked = { method: '', url: '', keepalive: false };

/** Stands in for the network: the test decides each answer, as the browser would deliver it. */
beforeEach(() => {
  answer = {};
  vi.stubGlobal('fetch', async (url: string, request: RequestInit) => {
    const { method = '', keepalive = false } = request;
    asked = { method, url, keepalive };
    if (!answer) throw new TypeError('Failed to fetch');
    const { status = 200, type, headers = {}, body = null } = answer;
    return new Response(body, {
      status,
      headers: { ...(type && { 'content-type': type }), ...headers },
    });
  });
});
afterEach(() => vi.unstubAllGlobals());

const problemOf = (status: number, more: object = {}): Answer => ({
  status,
  type: 'application/problem+json',
  body: JSON.stringify({ title: 'Title', status, detail: 'Detail', ...more }),
});

describe('a call', () => {
  it('answers what the contract says, asked at its path', async () => {
    answer = { type: 'application/json', body: '{"content":"<p>Q and A</p>"}' };
    expect(await call('getFaq', { query: { language: 'spanish' } })).toEqual({
      kind: 'answered',
      answer: { content: '<p>Q and A</p>' },
    });
    expect(asked).toMatchObject({ method: 'GET', url: '/api/voter/faq?language=spanish' });
  });

  it('has nothing for an answer of 204', async () => {
    answer = { status: 204 };
    expect(await call('deleteSession', {})).toEqual({ kind: 'answered', answer: undefined });
  });

  it('that logs out reaches the server although the tab is closed at once, and no other does', async () => {
    answer = { status: 204 };
    await call('deleteSession', {});
    expect(asked).toEqual({ method: 'DELETE', url: '/api/voter/session', keepalive: true });
    await call('checkSession', {});
    expect(asked.keepalive).toBe(false);
  });

  it('fails on an answer that is no JSON', async () => {
    answer = { type: 'text/html', body: '<p>Welcome to the hotel Wi-Fi</p>' };
    expect(await call('getFaq', {})).toMatchObject({ kind: 'failed' });
  });

  it('fails on an answer outside the contract', async () => {
    answer = { type: 'application/json', body: '{"content":7}' };
    expect(await call('getFaq', {})).toMatchObject({ kind: 'failed' });
  });

  it('is refused by a problem, whatever its status says', async () => {
    answer = { ...problemOf(500), status: 200 };
    expect(await call('getFaq', {})).toMatchObject({
      kind: 'refused',
      problem: { status: 500, detail: 'Detail' },
    });
  });

  it('reports how long to wait if the server says so', async () => {
    answer = { ...problemOf(429), headers: { 'retry-after': '90' } };
    expect(await call('getFaq', {})).toMatchObject({ kind: 'refused', retryAfter: 90 });
    for (const headers of [{}, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }]) {
      answer = { ...problemOf(429), headers };
      expect(await call('getFaq', {})).toMatchObject({ kind: 'refused', retryAfter: null });
    }
  });

  it('fails, and does not throw, on an answer cut short', async () => {
    answer = { type: 'application/json', body: '{"content":"<p>Q an' };
    expect(await call('getFaq', {})).toMatchObject({ kind: 'failed' });
  });

  it('fails, and does not throw, where nobody answers', async () => {
    answer = null;
    expect(await call('getFaq', {})).toEqual({ kind: 'failed', reason: 'Failed to fetch' });
  });

  it('of a voter that is refused with 403 reports the end of the session', async () => {
    const ended: string[] = [];
    const stop = onSessionEnded((name) => ended.push(name));
    const alsoEnded: string[] = [];
    const stopOther = onSessionEnded((name) => alsoEnded.push(name));
    answer = problemOf(403);
    await call('getVoterInformation', {});
    await call('createSession', {
      body: { firstname: '', lastname: 'x', zipcode: '1', birthdate: '1', recaptcha: 'x' },
    });
    stop();
    await call('getDeliveryTypes', {});
    stopOther();
    expect(ended).toEqual(['getVoterInformation']);
    // Every part of the page that listens hears of it, until it stops to.
    expect(alsoEnded).toEqual(['getVoterInformation', 'getDeliveryTypes']);
  });

  it('of a voter that was made before the next one signed in ends no session of the next', async () => {
    const ended: string[] = [];
    const stop = onSessionEnded((name) => ended.push(name));
    answer = problemOf(403);
    const late = call('getVoterInformation', {});
    stop();
    const endedLater: string[] = [];
    const stopOther = onSessionEnded((name) => endedLater.push(name));
    await late;
    stopOther();
    expect([...ended, ...endedLater]).toEqual([]);
  });
});

describe('a failure is named in the log', () => {
  it.each([
    [400, 'BadRequest'],
    [404, 'NotFound'],
    [503, 'Application Error: 503: Title - Detail'],
  ])('%i as %s', async (status, name) => {
    answer = problemOf(status);
    const info = vi.spyOn(console, 'info').mockImplementation(() => {});
    await call('getFaq', {});
    expect(info.mock.calls).toEqual([[`getFaq: ${name}`]]);
    info.mockRestore();
  });
});
