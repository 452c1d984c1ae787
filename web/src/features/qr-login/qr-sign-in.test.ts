import type { Problem } from '@ballot-beacon/contract/problem';
import { createTranslate } from '@ballot-beacon/contract/translate';
import { expect, test, vi } from 'vitest';
import texts from '../../../../locales/english/main.json' with { type: 'json' };
import { wordsOf } from '../../shell/alerts.ts';
import { noCaptcha } from '../../shell/captcha.ts';
import { askForSession, checkGuid, readQrTrouble } from './qr-sign-in.ts';

const t = createTranslate('english', texts);
const office = { county: 'Adams County', phone: '(352) 555-0100', locale: 'en-US' };
const refused = (problem: Partial<Problem>, retryAfter: number | null = null) =>
  readQrTrouble(
    {
      kind: 'refused',
      retryAfter,
      problem: { title: 'Refused', status: 400, detail: 'Refused', ...problem },
    },
    office,
  );
const saidBy = (outcome: ReturnType<typeof refused>) =>
  outcome.type === 'LEAVE'
    ? outcome.alerts.flatMap(({ messages }) => messages.map((message) => wordsOf(message, t)))
    : outcome.type;

test("400 'Date of birth did not match' keeps the voter at the form", () => {
  expect(refused({ status: 400, detail: 'Date of birth did not match' })).toEqual({
    type: 'MISMATCH',
  });
});

test("422 'Failed Validation' keeps the voter at the form", () => {
  expect(refused({ status: 422, detail: 'Failed Validation' })).toEqual({ type: 'MISMATCH' });
  expect(refused({ status: 422, detail: 'Something else' }).type).toBe('LEAVE');
});

test('the mismatch names the full site', () => {
  expect(t('qrLogin.mismatch', { subdomain: 'adams.example.org' })).toBe(
    'The date of birth you entered does not match the QR code you scanned. Please try again, or log in on our full site at adams.example.org.',
  );
});

test('a code that was tried too often leaves for the first page, with whom to call', () => {
  expect(
    saidBy(refused({ status: 401, detail: 'Another Proof Required', 'error-code': 8891 })),
  ).toEqual([
    'Too many attempts',
    'This QR code was tried too many times. Please sign in with your details, or call Adams County at (352) 555-0100.',
  ]);
});

test('any other error leaves for the first page, with its reason', () => {
  expect(saidBy(refused({ status: 404, detail: 'Not Found' }))).toEqual([t('qrLogin.unknownCode')]);
  expect(saidBy(refused({ status: 500, detail: 'Broken', err_id: 'e-9' }))).toEqual([
    'Oops! Something went wrong on our end. Please try your latest action again.',
    'If you call us about this, give us this number: e-9',
  ]);
  expect(readQrTrouble({ kind: 'failed', reason: 'no network' }, office).type).toBe('LEAVE');
});

test('too many tries from one network leave for the first page, with the time of the next try', () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 3, 15, 13, 30) });
  try {
    const said = (seconds: number) =>
      saidBy(refused({ status: 429, detail: 'Too Many Attempts' }, seconds));
    expect(said(5 * 60)).toEqual([
      'Too many attempts',
      expect.stringMatching(/please wait and try again at 3:18\sPM\.$/),
    ]);
    // A network that failed a hundred times waits for up to a day.
    expect(said(20 * 60 * 60)).toEqual([
      'Too many attempts',
      expect.stringMatching(/please wait and try again at Nov 4, 11:13\sAM\.$/),
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test('an answer to the CAPTCHA goes along once, and none where the site has none', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body).recaptcha);
    return new Response(null, { status: 503 });
  });
  let used = 0;
  const captcha = {
    ...noCaptcha,
    answer: async () => `answer ${used}`,
    reset: () => {
      used += 1;
    },
  };
  try {
    for (const one of [captcha, captcha, noCaptcha])
      await askForSession('guid', '02-03-1970', { captcha: one, onMoreWork() {} });
    expect(sent).toEqual(['answer 0', 'answer 1', undefined]);
  } finally {
    vi.unstubAllGlobals();
  }
});

test('a code that is none, and one of which nobody answers, are told apart', async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  const answer = (status: number, more: object = {}) =>
    vi.stubGlobal('fetch', async () => {
      const problem = { title: 'Refused', status, detail: 'Refused', ...more };
      const headers = { 'content-type': 'application/problem+json', 'retry-after': '60' };
      return new Response(JSON.stringify(problem), { status, headers });
    });
  const said = async () => saidBy((await checkGuid('guid', 'en-US')) as never);
  try {
    answer(404);
    expect(await said()).toEqual([t('qrLogin.unknownCode')]);
    answer(503, { err_id: 'e-9' });
    expect(await said()).toEqual([t('app.oops'), t('app.oopsId', { id: 'e-9' })]);
    answer(429);
    expect((await said())[0]).toBe('Too many attempts');
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('no network');
    });
    expect(await said()).toEqual([t('app.oops')]);
  } finally {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  }
});
