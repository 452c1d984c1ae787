import type { Performance, PerformancePeriod } from '../contract/src/performance.ts';

const season: PerformancePeriod = {
  days: 90,
  messages: 48_310,
  within_ten_seconds: 99.7,
  channels: [
    { channel: 'email', messages: 31_020, delivered: 98.6, failed: 0.9 },
    { channel: 'sms', messages: 15_040, delivered: 96.2, failed: 1.4 },
    { channel: 'voice', messages: 2_240, delivered: 91.3, failed: 3.2 },
  ],
  corrections: 20,
  oldest_data_hours: 31,
  availability: 99.98,
};

/** Invented: of a county in its season. */
export const performanceFigures: Performance = {
  through: '2026-11-20',
  data_updated_at: '2026-11-21T23:44:00Z',
  periods: [
    { ...season, days: 7, messages: 12_480, corrections: 0, oldest_data_hours: 25 },
    season,
  ],
};

const few: PerformancePeriod = {
  days: 7,
  messages: null,
  within_ten_seconds: null,
  channels: [{ channel: 'email', messages: null, delivered: null, failed: null }],
  corrections: 0,
  oldest_data_hours: null,
  availability: null,
};

/** Invented: of an office that has just begun. */
export const fewFigures: Performance = {
  through: '2026-11-20',
  data_updated_at: null,
  periods: [few, { ...few, days: 90, messages: 10, within_ten_seconds: 100, corrections: null }],
};
