import './ballot-fix.css';
import type { BallotFix, FixWay } from '@ballot-beacon/contract/ballot-status-progress';
import { formatsFor } from '@ballot-beacon/contract/formats';
import { useTexts } from '../../shell/texts.ts';
import { Words } from '../../ui/words.tsx';
import { CallOffice, OpeningHours } from './ballot-next.tsx';
import { CalendarLink } from './calendar-link.tsx';
import { useServerTime } from './server-time.tsx';
import { type TimeLeft, timeLeft } from './time-left.ts';

/** What is wrong with the returned envelope, until when it can be fixed, and how. */
export function Fix({
  ballotId,
  fix,
  nextStep,
}: {
  ballotId: number;
  fix: BallotFix;
  nextStep: string;
}) {
  const { t } = useTexts();
  const now = useServerTime();
  const isOver = isTooLate(fix, now);
  if (fix.state === 'recorded')
    return (
      <div className="ballot-next">
        <h3>{t('dashboard.next')}</h3>
        <p>{t('fix.recorded')}</p>
      </div>
    );
  return (
    <div className="ballot-next ballot-fix" data-over={isOver ? '' : undefined}>
      <h3>{t(isOver ? 'dashboard.next' : 'fix.problem')}</h3>
      {!isOver && <p>{fix.display_reason}</p>}
      {fix.deadline === null ? (
        <p className="fix-deadline">{t('fix.ask')}</p>
      ) : (
        <Deadline ballotId={ballotId} at={fix.deadline} timeZone={fix.time_zone} now={now} />
      )}
      {isOver ? <p>{t('fix.overNext')}</p> : <Ways fix={fix} now={now} />}
      {fix.deadline === null && <p>{nextStep}</p>}
      <CallOffice />
    </div>
  );
}

/** The problem still stands, and its deadline has ended, on an open page too. @param now milliseconds since 1970 */
export function isTooLate(
  { state, deadline }: Pick<BallotFix, 'state' | 'deadline'>,
  now: number,
): boolean {
  return state === 'open' && deadline !== null && Date.parse(deadline) <= now;
}

/** The last moment, and the time that is left. */
function Deadline({
  ballotId,
  at,
  timeZone,
  now,
}: {
  ballotId: number;
  at: string;
  timeZone: string;
  now: number;
}) {
  const { t, language } = useTexts();
  const formats = formatsFor(language, timeZone);
  const when = formats.deadline(at);
  const left = timeLeft(at, now, formats);
  const isOver = left.unit === 'over';
  return (
    <>
      <p className="fix-deadline days-and-times" suppressHydrationWarning>
        {t(isOver ? 'fix.over' : 'fix.by', { when })}
      </p>
      {!isOver && (
        <p className="fix-left">
          <span className="return-left">
            <Left left={left} />
          </span>{' '}
          <CalendarLink ballotId={ballotId} deadline="fix" />
        </p>
      )}
    </>
  );
}

/** Days, and on the last one hours. */
function Left({ left }: { left: TimeLeft }) {
  const { t } = useTexts();
  if (left.unit === 'over') return null;
  const { unit, count } = left;
  if (unit === 'days') return t('dashboard.return.daysLeft', { count });
  const today = t('dashboard.return.today');
  return count > 0 ? `${today}: ${t('fix.hoursLeft', { count })}` : today;
}

function Ways({ fix, now }: { fix: BallotFix; now: number }) {
  const { t } = useTexts();
  const ways = fix.ways.filter(({ until }) => until === null || Date.parse(until) > now);
  return (
    <>
      {ways.length > 0 && (
        <>
          <h4>{t('fix.ways')}</h4>
          <ol className="fix-ways">
            {ways.map((way) => (
              <Way way={way} key={way.way} />
            ))}
          </ol>
        </>
      )}
      {ways.some(({ way }) => way === 'in-person') && (
        <p className="ballot-hint">{t('fix.bring')}</p>
      )}
      {(fix.form_url || fix.not_returned_url) && (
        <p className="fix-links">
          {fix.form_url && <a href={fix.form_url}>{t('fix.form')}</a>}
          {fix.not_returned_url && <a href={fix.not_returned_url}>{t('fix.notReturned')}</a>}
        </p>
      )}
    </>
  );
}

function Way({ way: { way, url, place, hours } }: { way: FixWay }) {
  const { t } = useTexts();
  const name = t(`fix.way.${way}`);
  return (
    <li>
      {url ? <a href={url}>{name}</a> : <strong>{name}</strong>}
      {place && (
        <span className="fix-place">
          <bdi>
            <Words text={place} />
          </bdi>
        </span>
      )}
      <OpeningHours hours={hours} textKey="fix.hours" />
    </li>
  );
}
