import { createTranslate } from '@ballot-beacon/contract/translate';
import { afterEach, expect, test, vi } from 'vitest';
import english from '../../../locales/english/main.json' with { type: 'json' };
import { type Alert, oopsAlert, wordsOf } from './alerts.ts';
import { tooManyAlert } from './too-many-alert.ts';

const t = createTranslate('english', english);
const say = ({ messages }: Alert) => messages.map((message) => wordsOf(message, t));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('without a connection nothing went wrong on our end, and no number is given', () => {
  vi.stubGlobal('navigator', { onLine: false });
  expect(say(oopsAlert('e-9'))).toEqual([t('app.offline')]);
  vi.stubGlobal('navigator', { onLine: true });
  expect(say(oopsAlert('e-9'))).toEqual([t('app.oops'), t('app.oopsId', { id: 'e-9' })]);
});

test('a server that does not say how long to wait means an hour', () => {
  vi.useFakeTimers({ now: new Date(2026, 10, 3, 15, 13, 30) });
  expect(say(tooManyAlert('en-US', null))[1]).toMatch(/at 4:13\sPM\.$/);
});

test.each([
  ['en-US', 'Nov 4, 11:13 AM'],
  ['es-US', '4 de noviembre de 2026, 11:13 a.m.'],
  ['ht-HT', '4 novanm 2026, 11:13 AM'],
  ['km-KH', '4 វិច្ឆិកា 2026, 11:13 AM'],
  ['ar-SA', '4 نوفمبر 2026، 11:13 ص'],
  ['bn-BD', '4 নভেম্বর, 2026, 11:13 AM'],
  ['th-TH', '4 พฤศจิกายน 2026 11:13'],
])('a wait until another day names it in %s as the page does', (locale, when) => {
  vi.useFakeTimers({ now: new Date(2026, 10, 3, 15, 13, 30) });
  const [, said] = say(tooManyAlert(locale, 20 * 60 * 60));
  expect(said?.replaceAll('\u00a0', ' ')).toBe(t('login.tooMany.text', { time: when }));
});
