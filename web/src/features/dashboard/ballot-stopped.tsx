import type { StoppedBallot } from '@ballot-beacon/contract/ballot-status-progress';
import { useTexts } from '../../shell/texts.ts';
import { CallOffice } from './ballot-next.tsx';

/** An envelope that stopped moving in the mail: what is known of it, and what to do. */
export function Stopped({ stopped }: { stopped: StoppedBallot }) {
  const { t } = useTexts();
  return (
    <div className="ballot-next">
      <h3>{t('stopped.known')}</h3>
      <p className="ballot-hint">{stopped.display_known}</p>
      <h3>{t('dashboard.next')}</h3>
      {stopped.display_steps.map((step) => (
        <p key={step}>{step}</p>
      ))}
      <CallOffice />
    </div>
  );
}
