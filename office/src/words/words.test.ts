import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { expect, test } from 'vitest';
import {
  actionName,
  formatBorn,
  formatDate,
  formatInstant,
  formatNumber,
  formatTime,
  languageName,
  nameOf,
  statusName,
  t,
} from './index.ts';

test('instants are shown by the clock of the office, and days are the days on record', () => {
  const plain = (text: string) => text.replaceAll(/\s/g, ' ');
  const at = (time_zone: string) =>
    plain(formatInstant('2026-11-22T04:44:00Z', { time_zone } as OfficeSession));
  expect(at('America/New_York')).toBe('Nov 21, 2026, 11:44 PM');
  expect(at('Pacific/Honolulu')).toBe('Nov 21, 2026, 6:44 PM');
  expect(formatDate('2026-11-24')).toBe('Nov 24, 2026');
  expect(plain(formatTime('19:00'))).toBe('7:00 PM');
  expect(plain(formatTime('00:05'))).toBe('12:05 AM');
});

test('of a voter the day of birth is shown, or the year where that is all the office may give', () => {
  expect(formatBorn('1958-03-14')).toBe('Mar 14, 1958');
  expect(formatBorn('1958')).toBe('1958');
});

test('statuses and codes have a clerk’s words; what has none is shown as it is', () => {
  expect(statusName(null)).toBe('No status yet');
  expect(statusName('sent')).toBe('Mailed to the voter');
  expect(statusName('of-tomorrow')).toBe('of-tomorrow');
  expect(nameOf('channel', 'of-tomorrow')).toBe('of-tomorrow');
  expect(actionName('of-tomorrow')).toBe('of-tomorrow');
  expect(languageName('spanish')).toBe('Spanish');
});

test('large numbers have their commas, also in a text', () => {
  expect(formatNumber(1_234_567)).toBe('1,234,567');
  expect(t('settings.row', { number: 1_234 })).toContain('1,234');
  expect(t('today.fixes.urgent', { count: 1 })).toMatch(/^1 envelope must/);
  expect(t('today.fixes.urgent', { count: 2 })).toMatch(/^2 envelopes must/);
  expect(t('today.fixes.urgent', { count: 12_345 })).toMatch(/^12,345 envelopes must/);
  expect(t('reports.rows', { count: 200_000 })).toBe('200,000 rows.');
});
