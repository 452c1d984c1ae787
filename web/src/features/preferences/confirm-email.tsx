import { useRef, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { call } from '../../api/client.ts';
import type { SessionData } from '../../api/critical-data.ts';
import { AlertLines } from '../../shell/alert-lines.tsx';
import { type Alert, oopsAlert, sessionExpiredAlert } from '../../shell/alerts.ts';
import { useSignals } from '../../shell/signals.ts';
import { useTexts } from '../../shell/texts.ts';
import { tooManyAlert } from '../../shell/too-many-alert.ts';
import { useIsGone } from '../../shell/use-is-gone.ts';
import { useRegion } from '../../shell/use-region.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import {
  type ConfirmEmailServices,
  type ConfirmOutcome,
  createConfirmEmailMachine,
} from './confirm-email.machine.ts';
import { beginCall, changeForm } from './draft.ts';
import { readTrouble } from './save.ts';

/** Where the link of a welcome email ends: sends its code and goes on to the ballots. */
export function ConfirmEmailPage({ critical }: { critical: SessionData }) {
  const { t } = useTexts();
  const signals = useSignals();
  const [, navigate] = useLocation();
  const [parameters] = useSearchParams();
  const code = parameters.get('code') ?? '';
  const now = useRef(critical);
  now.current = critical;
  const isGone = useIsGone();
  const [failure, setFailure] = useState<Alert>(oopsAlert);
  const [machine] = useState(() => {
    const showAlert = (alert: Alert) =>
      signals.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts: [alert] });
    const services: ConfirmEmailServices = {
      sendCode: async () => {
        const isWanted = beginCall(signals);
        const outcome = await sendCode(code);
        if (outcome.type === 'failed') setFailure(outcome.alert);
        // The machine ended with its page; the voter, on another one by now, still has to know.
        if (isGone.current && isWanted()) announce(outcome);
        return outcome;
      },
      announceConfirmed: (voter) => {
        changeForm(signals, { type: 'saved', voter });
        signals.send({ type: 'CRITICAL_DATA_READY', critical: { ...now.current, voter } });
        showAlert({ type: 'success', messages: [{ key: 'preferences.confirmEmail.done' }] });
        if (!isGone.current) navigate('/confirmCheck', { replace: true });
      },
      announceLogout: () =>
        signals.send({ type: 'LOGOUT', alerts: [sessionExpiredAlert], isEnded: true }),
    };
    const announce = (outcome: ConfirmOutcome) => {
      if (outcome.type === 'confirmed') services.announceConfirmed(outcome.voter);
      else if (outcome.type === 'expired') services.announceLogout();
      else showAlert(outcome.type === 'refused' ? refusedAlert : outcome.alert);
    };
    return createConfirmEmailMachine(services);
  });
  const [state, actor] = useRegion(machine);

  if (state.matches('refused'))
    return (
      <section className="message-page card" role="alert">
        <h1>{t('preferences.confirmEmail.refusedTitle')}</h1>
        <p>{t('preferences.confirmEmail.refusedText')}</p>
        <Link className="button button-primary" href="/preferences">
          {t('preferences.confirmEmail.toPreferences')}
        </Link>
      </section>
    );
  if (state.matches('failed'))
    return (
      <section className="message-page card" role="alert">
        <h1>{t('preferences.confirmEmail.failedTitle')}</h1>
        <AlertLines alert={failure} />
        <Button look="primary" onClick={() => actor.send({ type: 'RETRY' })}>
          {t('app.retry')}
        </Button>
      </section>
    );
  return (
    <section className="message-page card">
      <h1>{t('preferences.confirmEmail.title')}</h1>
      <Loading text={t('preferences.confirmEmail.working')} slowText={t('app.loadingSlow')} />
    </section>
  );
}

const refusedAlert: Alert = {
  type: 'error',
  messages: [
    { key: 'preferences.confirmEmail.refusedTitle', important: true },
    { key: 'preferences.confirmEmail.refusedText' },
  ],
};

async function sendCode(code: string): Promise<ConfirmOutcome> {
  const outcome = await call('updatePreferences', { body: { code } });
  if (outcome.kind === 'answered') return { type: 'confirmed', voter: outcome.answer };
  if (readTrouble(outcome).type === 'EXPIRED') return { type: 'expired' };
  if (outcome.kind === 'failed') return { type: 'failed', alert: oopsAlert() };
  const { status, err_id: errorId } = outcome.problem;
  // After too many saves the code is as good as before.
  if (status === 429) {
    const alert = tooManyAlert(document.documentElement.lang, outcome.retryAfter);
    return { type: 'failed', alert };
  }
  return status < 500 ? { type: 'refused' } : { type: 'failed', alert: oopsAlert(errorId) };
}
