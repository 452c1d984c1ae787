import './first-visit.css';
import type { BallotStatusProgress } from '@ballot-beacon/contract/ballot-status-progress';
import { Link } from 'wouter';
import { useFormats } from '../../shell/formats.ts';
import { useTexts } from '../../shell/texts.ts';
import { Icon } from '../../ui/icons.tsx';

/** What a voter came for, above the form that a first visit meets instead; nothing without a ballot. */
export function FirstVisit({ progress: { ballots } }: { progress: BallotStatusProgress }) {
  const { t } = useTexts();
  const formats = useFormats();
  const [ballot] = ballots;
  if (!ballot) return null;
  const { display_name: status, datetime: when } = ballot.status_summary.current_status;
  return (
    <section className="first-visit card" aria-labelledby="first-visit-title">
      <Icon name="envelope" />
      <p>
        <span id="first-visit-title">{t('preferences.strip.title')}</span> <strong>{status}</strong>
        {when && (
          <>
            {', '}
            <time dateTime={when} suppressHydrationWarning>
              {formats.words(when)}
            </time>
          </>
        )}
      </p>
      <p className="first-visit-ways">
        <Link href="/dashboard">{t('preferences.strip.see')}</Link>
        <Link href="/dashboard">{t('preferences.strip.skip')}</Link>
      </p>
    </section>
  );
}
