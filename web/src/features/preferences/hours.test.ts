import { formatsFor } from '@ballot-beacon/contract/formats';
import { expect, test } from 'vitest';
import { listTimes } from './hours.ts';

test('times are offered in half hours across the day', () => {
  const times = listTimes('08:00');
  expect(times).toHaveLength(48);
  expect(times.slice(0, 3)).toEqual(['00:00', '00:30', '01:00']);
  expect(times.at(-1)).toBe('23:30');
});

test('times are shown as h:mm A in English, and as other languages write them', () => {
  const english = formatsFor('english', 'America/New_York');
  expect(['00:00', '08:00', '12:30', '20:30'].map(english.time)).toEqual([
    '12:00\u00a0AM',
    '8:00\u00a0AM',
    '12:30\u00a0PM',
    '8:30\u00a0PM',
  ]);
  expect(formatsFor('german', 'America/New_York').time('20:30')).toBe('20:30');
});

test('a stored time between the half hours stays to be chosen', () => {
  expect(listTimes('08:15').slice(16, 19)).toEqual(['08:00', '08:15', '08:30']);
});
