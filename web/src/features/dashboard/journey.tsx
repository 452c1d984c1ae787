import './journey.css';
import type { Ballot, StatusHistoryStep } from '@ballot-beacon/contract/ballot-status-progress';
import { statuses } from '@ballot-beacon/contract/statuses';
import { useTexts } from '../../shell/texts.ts';
import { Icon } from '../../ui/icons.tsx';
import { iconOfStatus, lookOfStep, type StepLook } from './status-look.ts';
import { When } from './when.tsx';

export interface Stop {
  readonly step: StatusHistoryStep;
  readonly look: StepLook;
  readonly isCurrent: boolean;
}

/**
 * The stops of a ballot's way: the four standard steps and, where the ballot was halted, completed out of order, made
 * anew or last seen by USPS, that event in its place. Earlier postal detail stays in the timeline.
 */
export function planJourney(ballot: Ballot): readonly Stop[] {
  const { status } = ballot.status_summary.current_status;
  const all = stepsOf(ballot);
  const isPostal = statuses[status as keyof typeof statuses]?.effect === 'detail';
  // Several scans of one kind are one stop.
  const lastPostal = isPostal ? all.findLastIndex((step) => step.status === status) : -1;
  const steps = all.filter(
    (step, index) =>
      step.is_standard_flow || (isPostal ? index === lastPostal : step.status === status),
  );
  const currentIndex = lastIndexOf(steps, status);
  return steps.map((step, index) => ({
    step,
    look: lookOfStep(step),
    isCurrent: index === currentIndex,
  }));
}

/** Statuses after which this ballot goes nowhere. */
const ends: ReadonlySet<string> = new Set([
  'cancelled',
  'rejected',
  'not-counted',
  'application-refused',
]);

/** The steps there were and those to come: after a vote in person, a cancellation, a final rejection or a denied application, none will come. */
export function stepsOf({ status_history, status_summary }: Ballot): readonly StatusHistoryStep[] {
  const { status, current_status } = status_summary;
  const isOver = status === 'complete' || ends.has(current_status.status);
  return status_history.filter((step) => step.is_reached || !isOver);
}

/** The event a status stands on: its latest one; postal detail stands on the last step that was reached. */
function lastIndexOf(steps: readonly StatusHistoryStep[], status: string): number {
  const exact = steps.findLastIndex((step) => step.status === status && step.is_reached);
  return exact >= 0 ? exact : steps.findLastIndex((step) => step.is_reached);
}

export function Journey({ ballot }: { ballot: Ballot }) {
  const { t } = useTexts();
  return (
    <ol className="journey" aria-label={t('dashboard.journey')}>
      {planJourney(ballot).map(({ step, look, isCurrent }, index) => (
        <li
          className="journey-stop"
          data-look={look}
          data-current={isCurrent ? '' : undefined}
          aria-current={isCurrent ? 'step' : undefined}
          // biome-ignore lint/suspicious/noArrayIndexKey: a status can stand on the way twice
          key={`${step.status}-${index}`}
        >
          <span className="journey-node">
            <Icon name={iconOfStatus(step.status)} />
            {look === 'completed' && !isCurrent && (
              <span className="journey-badge">
                <Icon name="check" />
              </span>
            )}
          </span>
          <span className="journey-words">
            <span className="journey-name">{step.display_name}</span>
            <span className="journey-note">
              {step.datetime ? (
                <When value={step.datetime} />
              ) : (
                t(`dashboard.step.${isCurrent && look === 'completed' ? 'current' : look}`)
              )}
            </span>
            {step.datetime && (
              <span className="visually-hidden">
                {t(`dashboard.step.${isCurrent && look === 'completed' ? 'current' : look}`)}
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
