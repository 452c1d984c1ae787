import type { calls } from '@ballot-beacon/contract/calls';
import { useTexts } from '../../shell/texts.ts';

const path: (typeof calls)['getBallotCalendar']['path'] = '/api/voter/ballot/:ballot_id/calendar';

/** Offers a deadline of a ballot as an entry for the visitor's own calendar, with a reminder ahead of it. */
export function CalendarLink({
  ballotId,
  deadline,
}: {
  ballotId: number;
  deadline: 'return' | 'fix';
}) {
  const { t, language } = useTexts();
  const query = new URLSearchParams({ deadline, language });
  return (
    <a
      className="return-calendar"
      download="ballot.ics"
      href={`${path.replace(':ballot_id', String(ballotId))}?${query}`}
    >
      {t('dashboard.return.calendar')}
    </a>
  );
}
