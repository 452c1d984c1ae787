import './return-deadline.css';
import type { Ballot } from '@ballot-beacon/contract/ballot-status-progress';
import {
  isTooLateToReturn,
  lastToSend,
  outStatuses,
} from '@ballot-beacon/contract/return-deadline';
import { useFormats } from '../../shell/formats.ts';
import { useTexts } from '../../shell/texts.ts';
import { Icon } from '../../ui/icons.tsx';
import { CalendarLink } from './calendar-link.tsx';
import { useServerTime } from './server-time.tsx';
import { daysToReturn } from './time-left.ts';

/** By when and where to return the ballot, as long as it is out; nothing where the office has not announced it. */
export function ReturnDeadline({ ballot }: { ballot: Ballot }) {
  const { t } = useTexts();
  const formats = useFormats();
  const now = useServerTime();
  const { election, status_summary: summary } = ballot;
  const deadline = election.return_deadline;
  if (!deadline || !outStatuses.has(summary.current_status.status)) return null;
  const { rule, date, time, place } = deadline;
  // Ballots that come after Election Day were mailed by then: nobody is to count on days that are left.
  const last = lastToSend(deadline, election.election_date);
  const isOver = isTooLateToReturn(last, new Date(now), formats);
  const daysLeft = isOver ? -1 : daysToReturn(deadline, now, formats);
  const words = t(`dashboard.return.${rule}`, { when: formats.weekday(date, time) });
  return (
    <div className="return-deadline">
      <Icon name="calendar" />
      <div>
        <p className="return-words" suppressHydrationWarning>
          <strong>{words}</strong>{' '}
          {daysLeft > 0 && (
            <span className="return-left">
              {t('dashboard.return.daysLeft', { count: daysLeft })}
            </span>
          )}
          {daysLeft === 0 && <span className="return-left">{t('dashboard.return.today')}</span>}
        </p>
        {place && (
          <p className="ballot-hint">
            <bdi>{t('dashboard.return.place', { place })}</bdi>
          </p>
        )}
        {daysLeft >= 0 && <CalendarLink ballotId={ballot.ballot_id} deadline="return" />}
      </div>
    </div>
  );
}
