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
