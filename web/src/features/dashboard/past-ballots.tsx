import './past-ballots.css';
import type { PastBallot } from '@ballot-beacon/contract/ballot-status-progress';
import { useTexts } from '../../shell/texts.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { lookOfPastBallot, type PastLook } from './status-look.ts';
import { When } from './when.tsx';

const marks: Record<PastLook, IconName> = {
  accepted: 'checkCircle',
  rejected: 'stop',
  incomplete: 'clock',
};

interface PastBallotsProps {
  ballots: readonly PastBallot[];
  /** In a tab of its own, whose title heads it already. */
  isAlone?: boolean;
}

/** Ballots of elections that are over. The list shows nothing when there are none; a tab of its own then says so. */
export function PastBallots({ ballots, isAlone = false }: PastBallotsProps) {
  const { t } = useTexts();
  if (ballots.length === 0)
    return isAlone ? <p className="past-none">{t('dashboard.noPrevious')}</p> : null;
  return (
    <section className="past" aria-labelledby="past-title" tabIndex={-1}>
      <h2 id="past-title" className={isAlone ? 'visually-hidden' : undefined}>
        {t('dashboard.previous')}
      </h2>
      <ul>
        {ballots.map((ballot) => {
          const look = lookOfPastBallot(ballot.status);
          return (
            <li className="past-ballot card" data-look={look} key={ballot.ballot_id}>
              <Icon name={marks[look]} />
              <div>
                <p className="past-election">
                  <bdi>{ballot.election_name || ballot.display_name}</bdi>
                </p>
                <p className="past-status">
                  <span>{ballot.display_name}</span>
                  {ballot.datetime && (
                    <>
                      {' · '}
                      <When value={ballot.datetime} />
                    </>
                  )}
                </p>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
