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

/** Ballots of elections that are over; shows nothing when there are none. */
export function PastBallots({ ballots }: { ballots: readonly PastBallot[] }) {
  const { t } = useTexts();
  if (ballots.length === 0) return null;
  return (
    <section className="past" aria-labelledby="past-title">
      <h2 id="past-title">{t('dashboard.previous')}</h2>
      <ul>
        {ballots.map((ballot) => {
          const look = lookOfPastBallot(ballot.status);
          return (
            <li className="past-ballot card" data-look={look} key={ballot.ballot_id}>
              <Icon name={marks[look]} />
              <div>
                <p className="past-election">{ballot.election_name || ballot.display_name}</p>
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
