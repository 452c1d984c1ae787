import './ballot-card.css';
import type { Ballot, CurrentStatus } from '@ballot-beacon/contract/ballot-status-progress';
import { useFormats } from '../../shell/formats.ts';
import { useFlag } from '../../shell/page-context.ts';
import { useTexts } from '../../shell/texts.ts';
import { Icon } from '../../ui/icons.tsx';
import { Journey, stepsOf } from './journey.tsx';
import { iconOfStatus, lookOfProgress } from './status-look.ts';
import { Timeline } from './timeline.tsx';
import { addDays, When } from './when.tsx';

/** An expected day is shown as a range to this many days later (product spec §9). */
const expectedRangeDays = 2;

export function BallotCard({ ballot }: { ballot: Ballot }) {
  const { t } = useTexts();
  const { election, status_summary: summary } = ballot;
  const current = summary.current_status;
  const words = progressWords(ballot, t);
  const id = `ballot-${ballot.ballot_id}`;
  return (
    <article className="ballot card" data-look={lookOfProgress(summary)} aria-labelledby={id}>
      <header className="ballot-election">
        <h2 id={id}>
          <bdi>{election.election_name}</bdi>
        </h2>
        <p>
          <Icon name="calendar" />
          <Sentence textKey="dashboard.electionDay" name="date">
            <When value={election.election_date} />
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
        <h3 className="ballot-meaning">{current.display_description}</h3>
        {current.datetime && (
          <p className="ballot-since">
            <Sentence textKey="dashboard.since" name="date">
              <When value={current.datetime} />
            </Sentence>
          </p>
        )}
      </div>

      {current.display_next_step && (
        <div className="ballot-next">
          <h3>{t('dashboard.next')}</h3>
          <p>{current.display_next_step}</p>
        </div>
      )}
      <ExpectedDelivery current={current} />
      <Journey ballot={ballot} />
      <Timeline steps={stepsOf(ballot)} />
    </article>
  );
}

function progressWords({ status_summary: summary }: Ballot, t: ReturnType<typeof useTexts>['t']) {
  if (summary.status === 'complete') return t('dashboard.progress.completed');
  if (summary.status === 'halted') return summary.current_status.display_name;
  return t('dashboard.progress.step', {
    current: summary.current_step,
    total: summary.total_steps,
  });
}

function ExpectedDelivery({ current }: { current: CurrentStatus }) {
  const { t } = useTexts();
  const formats = useFormats();
  const isShown = useFlag('voterUiEstimatedDeliveryDate');
  const inbound = current.inbound_expected_delivery_date;
  const expected = inbound ?? current.outbound_expected_delivery_date;
  if (!isShown || !expected) return null;
  const key = inbound ? 'dashboard.expectedInbound' : 'dashboard.expectedOutbound';
  return (
    <p className="ballot-expected">
      <Icon name="clock" />
      <span>
        <strong suppressHydrationWarning>
          {t(key, {
            from: formats.date(expected),
            to: formats.date(addDays(expected, expectedRangeDays)),
          })}
        </strong>
        <span className="ballot-hint">{t('dashboard.expectedHint')}</span>
      </span>
    </p>
  );
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
