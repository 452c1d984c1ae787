import { formatsFor } from '@ballot-beacon/contract/formats';
import type { PerformancePeriod } from '@ballot-beacon/contract/performance';
import { createTranslate } from '@ballot-beacon/contract/translate';
import { expect, test } from 'vitest';
import english from '../../../../locales/english/main.json' with { type: 'json' };
import { rowsOf } from './rows.ts';

const t = createTranslate('english', english);
const formats = formatsFor('english', 'America/New_York');
const period = (more: Partial<PerformancePeriod>): PerformancePeriod => ({
  ...{ days: 7, messages: 0, within_ten_seconds: null, channels: [], corrections: 0 },
  ...{ oldest_data_hours: null, availability: null, ...more },
});
const cellsOf = (periods: readonly PerformancePeriod[]) =>
  Object.fromEntries(rowsOf(periods, t, formats).map(({ key, cells }) => [key, cells]));

test('none, too few to say, and a number are told apart', () => {
  const cells = cellsOf([
    period({}),
    period({ messages: null, corrections: null }),
    period({ messages: 1230, within_ten_seconds: 99.5, oldest_data_hours: 0, availability: 99.98 }),
  ]);
  const few = t('performance.few');
  const unmeasured = t('performance.unmeasured');
  expect(cells).toEqual({
    'performance.messages': [
      ...[t('performance.zero'), few, t('performance.about', { number: '1,230' })],
    ],
    'performance.prompt': [few, few, t('performance.percent', { number: '99.5' })],
    'performance.corrections': [t('performance.zero'), few, t('performance.zero')],
    'performance.oldest': [unmeasured, unmeasured, '0'],
    'performance.availability': [
      ...[unmeasured, unmeasured, t('performance.percent', { number: '99.98' })],
    ],
  });
});

test('a way that was used in one of the periods has its own line in both', () => {
  const sms = { channel: 'sms', messages: 500, delivered: 97, failed: 3 } as const;
  const cells = cellsOf([period({}), period({ channels: [sms] })]);
  expect(cells['performance.sms']).toEqual([
    ...[t('performance.few'), t('performance.percent', { number: '97' })],
  ]);
  expect(cells['performance.email']).toBeUndefined();
});
