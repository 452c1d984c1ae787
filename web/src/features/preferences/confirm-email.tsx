import { useRef, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { call } from '../../api/client.ts';
import type { SessionData } from '../../api/critical-data.ts';
import { sessionExpiredAlert } from '../../shell/alerts.ts';
import { useSignals } from '../../shell/signals.ts';
import { useTexts } from '../../shell/texts.ts';
import { useRegion } from '../../shell/use-region.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { type ConfirmOutcome, createConfirmEmailMachine } from './confirm-email.machine.ts';
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
  const [machine] = useState(() =>
    createConfirmEmailMachine({
      sendCode: () => sendCode(code),
      announceConfirmed: (voter) => {
        signals.send({ type: 'CRITICAL_DATA_READY', critical: { ...now.current, voter } });
        signals.send({
          type: 'UPDATE_GLOBAL_ALERTS',
          alerts: [{ type: 'success', messages: [{ key: 'preferences.confirmEmail.done' }] }],
        });
        navigate('/confirmCheck', { replace: true });
      },
      announceLogout: () =>
        signals.send({ type: 'LOGOUT', alerts: [sessionExpiredAlert], isEnded: true }),
    }),
  );
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
        <p>{t('app.oops')}</p>
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

async function sendCode(code: string): Promise<ConfirmOutcome> {
  const outcome = await call('updatePreferences', { body: { code } });
  if (outcome.kind === 'answered') return { type: 'confirmed', voter: outcome.answer };
  const trouble = readTrouble(outcome);
  if (trouble.type === 'EXPIRED') return { type: 'expired' };
  const isRefused = outcome.kind === 'refused' && outcome.problem.status < 500;
  return { type: isRefused ? 'refused' : 'failed' };
}
