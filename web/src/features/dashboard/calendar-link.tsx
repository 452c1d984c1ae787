import { useTexts } from '../../shell/texts.ts';
import { type CalendarEntry, calendarLink } from './calendar.ts';

/** Offers an entry for the visitor's own calendar. */
export function CalendarLink({ entry }: { entry: CalendarEntry }) {
  const { t } = useTexts();
  return (
    <a
      className="return-calendar"
      download="ballot.ics"
      suppressHydrationWarning
      href={calendarLink(entry)}
    >
      {t('dashboard.return.calendar')}
    </a>
  );
}
