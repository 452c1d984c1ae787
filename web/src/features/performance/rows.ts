import type { Formats } from '@ballot-beacon/contract/formats';
import type { PerformancePeriod } from '@ballot-beacon/contract/performance';
import type { Translate } from '@ballot-beacon/contract/translate';

export interface PerformanceRow {
  /** Of its text. */
  readonly key: string;
  /** One for each period. */
  readonly cells: readonly string[];
}

/** The figures as a table; a channel that sent nothing in any period has no row. */
export function rowsOf(
  periods: readonly PerformancePeriod[],
  t: Translate,
  formats: Pick<Formats, 'number'>,
): PerformanceRow[] {
  const count = (value: number | null) =>
    value === null
      ? t('performance.few')
      : value === 0
        ? t('performance.zero')
        : t('performance.about', { number: formats.number(value) });
  const percent = (value: number | null, none: string) =>
    value === null ? t(none) : t('performance.percent', { number: formats.number(value) });
  const row = (key: string, cell: (period: PerformancePeriod) => string) => ({
    key: `performance.${key}`,
    cells: periods.map(cell),
  });
  const delivered = (['email', 'sms', 'voice'] as const).flatMap((channel) => {
    const of = (period: PerformancePeriod) =>
      period.channels.find((one) => one.channel === channel);
    if (periods.every((period) => of(period) === undefined)) return [];
    return [row(channel, (period) => percent(of(period)?.delivered ?? null, 'performance.few'))];
  });
  return [
    row('messages', ({ messages }) => count(messages)),
    row('prompt', (period) => percent(period.within_ten_seconds, 'performance.few')),
    ...delivered,
    row('corrections', ({ corrections }) => count(corrections)),
    row('oldest', ({ oldest_data_hours: hours }) =>
      hours === null ? t('performance.unmeasured') : formats.number(hours),
    ),
    row('availability', (period) => percent(period.availability, 'performance.unmeasured')),
  ];
}
