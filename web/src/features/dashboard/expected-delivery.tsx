import type { CurrentStatus } from '@ballot-beacon/contract/ballot-status-progress';
import { useFormats } from '../../shell/formats.ts';
import { useFlag } from '../../shell/page-context.ts';
import { useTexts } from '../../shell/texts.ts';
import { Icon } from '../../ui/icons.tsx';
import { useServerTime } from './server-time.tsx';
import { addDays } from './when.tsx';

/** An expected day is shown as a range to this many days later (product spec §9). */
const expectedRangeDays = 2;

/** When the envelope will come, or that it should have come by now. */
export function ExpectedDelivery({ current }: { current: CurrentStatus }) {
  const { t } = useTexts();
  const formats = useFormats();
  const now = useServerTime();
  const isShown = useFlag('voterUiEstimatedDeliveryDate');
  const inbound = current.inbound_expected_delivery_date;
  const expected = inbound ?? current.outbound_expected_delivery_date;
  if (!isShown || !expected) return null;
  const last = addDays(expected, expectedRangeDays);
  const isLate = last.slice(0, 10) < formats.dayOf(new Date(now));
  const key = inbound
    ? isLate
      ? 'dashboard.lateInbound'
      : 'dashboard.expectedInbound'
    : isLate
      ? 'dashboard.lateOutbound'
      : 'dashboard.expectedOutbound';
  return (
    <p className="ballot-expected" data-late={isLate ? '' : undefined}>
      <Icon name={isLate ? 'caution' : 'clock'} />
      <span>
        <strong suppressHydrationWarning>
          {t(key, {
            from: formats.weekday(expected),
            to: formats.weekday(last),
            date: formats.weekday(last),
          })}
        </strong>
        <span className="ballot-hint">{t('dashboard.expectedHint')}</span>
      </span>
    </p>
  );
}
