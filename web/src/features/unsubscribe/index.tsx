import './unsubscribe.css';
import type { UnsubscribeRequest } from '@ballot-beacon/contract/voter-information';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { call } from '../../api/client.ts';
import type { SessionData } from '../../api/critical-data.ts';
import { usePage } from '../../shell/page-context.ts';
import { useSession } from '../../shell/session-context.ts';
import { type Signals, useSignals } from '../../shell/signals.ts';
import { StandaloneFrame } from '../../shell/standalone-frame.tsx';
import { SupportNotice } from '../../shell/support-notice.tsx';
import { useTexts } from '../../shell/texts.ts';
import { useRegion } from '../../shell/use-region.ts';
import { watchLogOut } from '../../shell/watch-log-out.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/loading.tsx';
import { createUnsubscribeMachine, type Refused } from './unsubscribe.machine.ts';

/** Where an email's unsubscribe link ends. */
export default function UnsubscribePage() {
  const { t } = useTexts();
  const { branding } = usePage();
  const [parameters] = useSearchParams();
  const key = parameters.get('key');
  const email = parameters.get('email');
  const signals = useSignals();
  const critical = useSession();
  const now = useRef(critical);
  now.current = critical;
  const [machine] = useState(() =>
    createUnsubscribeMachine({
      unsubscribe: async (link) => {
        const refused = await unsubscribe(link);
        if (!refused && now.current) await renewVoter(now.current, signals);
        return refused;
      },
    }),
  );
  const [state, actor] = useRegion(machine, {
    input: { link: key && email ? { key, email } : null },
  });
  const submit = () => actor.send({ type: 'SUBMIT' });

  // The button that had the focus goes with its state, so the heading of the next one takes it.
  const heading = useRef<HTMLHeadingElement>(null);
  const value = String(state.value);
  const shown = useRef(value);
  useEffect(() => {
    if (shown.current !== value && value !== 'loading') heading.current?.focus();
    shown.current = value;
  }, [value]);

  return (
    <StandaloneFrame>
      <div className="unsubscribe">
        <section className="unsubscribe-card card" aria-labelledby="unsubscribe-title">
          {state.matches('success') ? (
            <>
              <Icon name="checkCircle" className="unsubscribe-icon unsubscribe-good" />
              <h1 id="unsubscribe-title" ref={heading} tabIndex={-1}>
                {t('unsubscribe.success.title')}
              </h1>
              <p>{t('unsubscribe.success.text', { email: email ?? '', name: branding.name })}</p>
              <p className="unsubscribe-hint">{t('unsubscribe.success.other')}</p>
            </>
          ) : state.matches('error') ? (
            <>
              <Icon name="caution" className="unsubscribe-icon unsubscribe-bad" />
              <h1 id="unsubscribe-title" ref={heading} tabIndex={-1}>
                {t('unsubscribe.error.title')}
              </h1>
              <p role="alert">{state.context.detail ?? t('unsubscribe.error.text')}</p>
              {state.context.link && <Button onClick={submit}>{t('app.retry')}</Button>}
            </>
          ) : state.matches('loading') ? (
            <>
              <h1 id="unsubscribe-title">{t('unsubscribe.title')}</h1>
              <Loading text={t('unsubscribe.loading')} slowText={t('app.loadingSlow')} />
            </>
          ) : (
            <>
              <Icon name="envelope" className="unsubscribe-icon" />
              <h1 id="unsubscribe-title" ref={heading} tabIndex={-1}>
                {t('unsubscribe.title')}
              </h1>
              <p>{t('unsubscribe.text', { email: email ?? '', name: branding.name })}</p>
              <Button look="primary" onClick={submit}>
                {t('unsubscribe.button')}
              </Button>
            </>
          )}
          <p>
            <a href="/">{t('pages.visit')}</a>
          </p>
        </section>
        <aside>
          <SupportNotice />
        </aside>
      </div>
    </StandaloneFrame>
  );
}

/** The address may be that of the voter who is signed in here: the other screens follow. */
async function renewVoter(critical: SessionData, signals: Signals): Promise<void> {
  const isSignedIn = watchLogOut(signals);
  const outcome = await call('getVoterInformation', {});
  const voter = outcome.kind === 'answered' && outcome.answer._embedded.voter_information[0];
  if (isSignedIn() && voter)
    signals.send({ type: 'CRITICAL_DATA_READY', critical: { ...critical, voter } });
}

async function unsubscribe(link: UnsubscribeRequest): Promise<Refused | null> {
  const outcome = await call('unsubscribe', { body: link });
  if (outcome.kind === 'answered') return null;
  const isOfLink = outcome.kind === 'refused' && outcome.problem.status === 400;
  return { detail: isOfLink ? outcome.problem.detail : null };
}
