import './ballot-next.css';
import type { CurrentStatus } from '@ballot-beacon/contract/ballot-status-progress';
import type { Branding } from '@ballot-beacon/contract/branding';
import { isBallotStatus, statuses } from '@ballot-beacon/contract/statuses';
import { useFormats } from '../../shell/formats.ts';
import { usePage } from '../../shell/page-context.ts';
import { formatPhone, telOf } from '../../shell/support-notice.tsx';
import { useTexts } from '../../shell/texts.ts';
import { Icon } from '../../ui/icons.tsx';
import { Words } from '../../ui/words.tsx';

/** After what halts a ballot only a person at the office can help. */
const isToCallAbout = (status: string) =>
  isBallotStatus(status) && statuses[status].effect === 'halt';

/** What to do next, and whom to call where that takes a call. By when it must be done belongs above the button. */
export function BallotNext({ current }: { current: CurrentStatus }) {
  const { t } = useTexts();
  if (!current.display_next_step) return null;
  return (
    <div className="ballot-next">
      <h3>{t('dashboard.next')}</h3>
      <p>{current.display_next_step}</p>
      {isToCallAbout(current.status) && <CallOffice />}
    </div>
  );
}

/** The office's phone as a button, and when somebody answers it. */
export function CallOffice() {
  const { t } = useTexts();
  const { contact_phone: phone, phone_hours: hours = [] } = usePage().branding;
  if (!phone) return null;
  return (
    <>
      <a className="button button-primary ballot-call" href={telOf(phone)}>
        <Icon name="phone" />
        <Words text={t('support.call', { phone: formatPhone(phone) })} />
      </a>
      <OpeningHours hours={hours} textKey="dashboard.phoneHours" />
    </>
  );
}

type Hours = NonNullable<Branding['phone_hours']>;

/** Weekdays and times in a line; nothing where none are known. */
export function OpeningHours({ hours, textKey }: { hours: Hours; textKey: string }) {
  const { t } = useTexts();
  const formats = useFormats();
  if (hours.length === 0) return null;
  const ranges = hours.map(({ from, to, open, close }) => {
    const days = [...new Set([from, to])].map((day) => formats.weekdayName(day)).join('–');
    return `${days} ${formats.time(open)}–${formats.time(close)}`;
  });
  return (
    <p className="ballot-hint days-and-times" suppressHydrationWarning>
      {t(textKey, { hours: ranges.join('; ') })}
    </p>
  );
}
