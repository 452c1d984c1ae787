import './ballot-card.css';
import type { Ballot } from '@ballot-beacon/contract/ballot-status-progress';
import { leadsTooLate } from '@ballot-beacon/contract/return-deadline';
import { useFormats } from '../../shell/formats.ts';
import { useTexts } from '../../shell/texts.ts';
import { Icon } from '../../ui/icons.tsx';
import { Fix, isTooLate } from './ballot-fix.tsx';
import { BallotNext } from './ballot-next.tsx';
import { Stopped } from './ballot-stopped.tsx';
import { ExpectedDelivery } from './expected-delivery.tsx';
import { Journey, stepsOf } from './journey.tsx';
import { ReturnDeadline } from './return-deadline.tsx';
import { useServerTime } from './server-time.tsx';
import { iconOfStatus, isToFix, lookOfProgress } from './status-look.ts';
import { Timeline } from './timeline.tsx';
import { When } from './when.tsx';

export function BallotCard({ ballot }: { ballot: Ballot }) {
  const { t } = useTexts();
  const formats = useFormats();
  const now = useServerTime();
  const { election, status_summary: summary, fix } = ballot;
  const current = summary.current_status;
  // Once it is too late to fix the envelope, nobody is asked to: what is wrong with it stays true.
  const isOver = fix !== null && isTooLate(fix, now);
  const meaning = isOver ? fix.display_reason : current.display_description;
  // Its text says that a problem can be fixed, which is true only as long as the problem stands.
  const isExplained = (status: string) =>
    !isToFix(status) || (status === current.status && !isOver);
  // Nobody is asked to send a ballot back once it would not count.
  const { return_deadline: deadline, election_date: electionDate } = election;
  const isTooLateToSend = leadsTooLate(
    current.status,
    { deadline, electionDate },
    new Date(now),
    formats,
  );
  const ago = current.datetime && formats.daysAgo(current.datetime, new Date(now));
  const words = progressWords(ballot, t);
  const id = `ballot-${ballot.ballot_id}`;
  return (
    <article
      className="ballot card"
      id={`card-${ballot.ballot_id}`}
      tabIndex={-1}
      data-look={lookOfProgress(summary)}
      aria-labelledby={id}
    >
      <header className="ballot-election">
        <h2 id={id}>
          <bdi>{election.election_name}</bdi>
        </h2>
        <p>
          <Icon name="calendar" />
          <Sentence textKey="dashboard.electionDay" name="date">
            <When value={election.election_date} inWords />
          </Sentence>
        </p>
      </header>

      <div className="ballot-now">
        <p className="ballot-status">
          <span className="ballot-chip">
            <Icon name={iconOfStatus(current.status)} />
            {current.display_name}
          </span>
          {words !== current.display_name && <span className="ballot-progress">{words}</span>}
        </p>
        <h3 className="ballot-meaning">{meaning}</h3>
        {current.display_reason && <p>{current.display_reason}</p>}
        <ExpectedDelivery current={current} />
        <ReturnDeadline ballot={ballot} />
        {current.datetime && (
          <p className="ballot-since">
            <Sentence textKey="dashboard.since" name="date">
              <When value={current.datetime} inWords />
            </Sentence>
            {ago && <span suppressHydrationWarning> ({ago})</span>}
          </p>
        )}
      </div>

      {fix && <Fix ballotId={ballot.ballot_id} fix={fix} nextStep={current.display_next_step} />}
      {ballot.stopped && !isTooLateToSend && <Stopped stopped={ballot.stopped} />}
      {!ballot.fix && !ballot.stopped && !isTooLateToSend && <BallotNext current={current} />}
      <Journey ballot={ballot} />
      <Timeline steps={stepsOf(ballot)} isExplained={isExplained} />
    </article>
  );
}

function progressWords({ status_summary: summary }: Ballot, t: ReturnType<typeof useTexts>['t']) {
  if (summary.status === 'complete') return t('dashboard.progress.completed');
  // Before the first of them, steps say nothing.
  if (summary.status === 'halted' || summary.current_step === 0)
    return summary.current_status.display_name;
  return t('dashboard.progress.step', {
    current: summary.current_step,
    total: summary.total_steps,
  });
}

/** A text with one placeholder that is an element: keeps `<time>` inside a translated sentence. */
function Sentence({
  textKey,
  name,
  children,
}: {
  textKey: string;
  name: string;
  children: React.ReactNode;
}) {
  const { t } = useTexts();
  const [before, after] = t(textKey, { [name]: '\u0000' }).split('\u0000');
  return (
    <span>
      {before}
      {children}
      {after}
    </span>
  );
}
