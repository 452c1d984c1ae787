import './first-visit.css';
import type { Ballot, BallotStatusProgress } from '@ballot-beacon/contract/ballot-status-progress';
import { Link } from 'wouter';
import { useFormats } from '../../shell/formats.ts';
import { useTexts } from '../../shell/texts.ts';
import { Icon } from '../../ui/icons.tsx';

/** What a voter came for, above the form that a first visit meets instead; nothing without a ballot. */
export function FirstVisit({ progress: { ballots } }: { progress: BallotStatusProgress }) {
  const { t } = useTexts();
  const [ballot] = ballots;
  if (!ballot) return null;
  return (
    <section className="first-visit card" aria-labelledby="first-visit-title">
      <Icon name="envelope" />
      {ballots.length > 1 ? (
        <div>
          <p id="first-visit-title">{t('dashboard.several')}</p>
          <ul>
            {ballots.map((one) => (
              <li key={one.ballot_id}>
                <bdi>{one.election.election_name}</bdi>: <Status ballot={one} />
              </li>
            ))}
          </ul>
        </div>
      ) : (
        <p>
          <span id="first-visit-title">{t('preferences.strip.title')}</span>{' '}
          <Status ballot={ballot} />
        </p>
      )}
      <p className="first-visit-ways">
        <Link href="/dashboard">{t('preferences.strip.see')}</Link>
        <Link href="/dashboard">{t('preferences.strip.skip')}</Link>
      </p>
    </section>
  );
}

function Status({ ballot }: { ballot: Ballot }) {
  const formats = useFormats();
  const { display_name: status, datetime: when } = ballot.status_summary.current_status;
  return (
    <>
      <strong>{status}</strong>
      {when && (
        <>
          {formats.separator}
          <time dateTime={when} suppressHydrationWarning>
            {formats.words(when)}
          </time>
        </>
      )}
    </>
  );
}
