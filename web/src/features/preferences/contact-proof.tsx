import { type Channel, channels } from '@ballot-beacon/contract/messages';
import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import type { SessionData } from '../../api/critical-data.ts';
import { type Alert, oopsAlert } from '../../shell/alerts.ts';
import { useSignals } from '../../shell/signals.ts';
import { discard } from '../../shell/tab-memory.ts';
import { useTexts } from '../../shell/texts.ts';
import { tooManyAlert } from '../../shell/too-many-alert.ts';
import { useFocusAfter } from '../../shell/use-focus-after.ts';
import { useIsGone } from '../../shell/use-is-gone.ts';
import { Button } from '../../ui/button.tsx';
import { Field, fieldId } from '../../ui/field.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { canTypeCode, rememberCodeAsked } from './code-asked.ts';
import { beginCall } from './draft.ts';
import { expiredAtSave } from './save.ts';

interface ContactProofProps {
  critical: SessionData;
  heading: 'h1' | 'h2';
}

const icons: Record<Channel, IconName> = { email: 'envelope', sms: 'message', voice: 'phone' };
const noMore = { email_opt_in: false, sms_opt_in: false, voice_opt_in: false };

/** In place of the contact preferences while the office hides them: the way to a code, and out of all messages. */
export function ContactProof({ critical, heading: Heading }: ContactProofProps) {
  const { t } = useTexts();
  const signals = useSignals();
  const { voter } = critical;
  const [isRunning, setRunning] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [isSent, setSent] = useState(false);
  const voterId = voter.voter_id;
  useEffect(() => {
    setRunning(true);
    // On another screen, or before a phone took the page away while its voter looked for the code.
    if (canTypeCode(voterId)) setSent(true);
  }, [voterId]);
  const [error, setError] = useState<'wrong' | 'tooMany' | null>(null);
  const isGone = useIsGone();
  const now = useRef({ critical, isBusy });
  now.current = { critical, isBusy };

  /** One call at a time; what it means for the page is in the answer's status. */
  const run = async (
    name: 'requestContactCode' | 'proveContact' | 'updatePreferences',
    body: object,
  ) => {
    if (now.current.isBusy) return null;
    setBusy(true);
    setError(null);
    const isWanted = beginCall(signals);
    const outcome = await call(name, { body: body as never });
    const status = outcome.kind === 'refused' ? outcome.problem.status : 0;
    // Another tab has shown them meanwhile, or the address is another one.
    const known = status === 404 ? await call('getVoterInformation', {}) : null;
    if (!isWanted()) return null;
    setBusy(false);
    const voter = known?.kind === 'answered' && known.answer._embedded.voter_information[0];
    if (voter) {
      show(voter);
      return null;
    }
    if (outcome.kind === 'answered')
      return { voter: outcome.answer as VoterInformation | undefined };
    const say = (alert: Alert) => signals.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts: [alert] });
    if (status === 429 && name === 'requestContactCode') setError('tooMany');
    else if (outcome.kind === 'refused' && status === 429)
      say(tooManyAlert(document.documentElement.lang, outcome.retryAfter));
    else if (status === 422) setError('wrong');
    else if (status !== 403) say(oopsAlert());
    // Of all other calls the app says that the session has expired; a save has its own words.
    else if (name === 'updatePreferences')
      signals.send({ type: 'LOGOUT', alerts: [expiredAtSave], isEnded: true });
    return null;
  };
  const show = (shown: VoterInformation) =>
    signals.send({
      type: 'CRITICAL_DATA_READY',
      critical: { ...now.current.critical, voter: shown },
    });

  const latestRun = useRef(run);
  latestRun.current = run;
  useEffect(
    () =>
      signals.subscribe(async ({ type }) => {
        if (type !== 'OPT_OUT_OF_ALL') return;
        const done = await latestRun.current('updatePreferences', noMore);
        if (!done?.voter) return;
        signals.send({
          type: 'CRITICAL_DATA_READY',
          critical: { ...now.current.critical, voter: done.voter },
        });
        signals.send({
          type: 'UPDATE_GLOBAL_ALERTS',
          alerts: [
            { type: 'success', messages: [{ key: 'preferences.saved.done' }] },
            { type: 'notice', messages: [{ key: 'preferences.saved.optedOut' }] },
          ],
        });
      }),
    [signals],
  );

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('contact-code') ?? '').trim();
    if (code === '') {
      document.getElementById(fieldId('contact-code'))?.focus();
      return;
    }
    const done = await run('proveContact', { code });
    if (done?.voter) {
      discard('codeAsked');
      show(done.voter);
    } else if (!isGone.current) document.getElementById(fieldId('contact-code'))?.focus();
  };

  const addresses = { email: voter.email, sms: voter.phone_sms, voice: voter.phone_voice };
  const offered = voter.hidden_contacts?.code_channels ?? [];
  const isOptedIn = voter.email_opt_in || voter.sms_opt_in || voter.voice_opt_in;
  useFocusAfter(isOptedIn, 'preferences-title');
  return (
    <form
      className="preferences card"
      id="contact-preferences"
      tabIndex={-1}
      aria-labelledby="preferences-title"
      noValidate
      onSubmit={submit}
    >
      <div className="preferences-heading">
        <Heading id="preferences-title" tabIndex={-1}>
          {t('contactProof.title')}
        </Heading>
        <p>{t('contactProof.text')}</p>
      </div>
      {channels
        .filter((channel) => offered.includes(channel))
        .map((channel) => (
          <Button
            key={channel}
            disabled={!isRunning}
            aria-disabled={isBusy}
            onClick={async () => {
              if (!(await run('requestContactCode', { channel }))) return;
              rememberCodeAsked(voterId);
              setSent(true);
            }}
          >
            <Icon name={icons[channel]} />
            <span>{t(`contactProof.${channel}`, { address: addresses[channel] })}</span>
          </Button>
        ))}
      <p className="preferences-hint">{t('contactProof.other')}</p>
      <div role="status">
        {isSent && <p>{t('contactProof.sent')}</p>}
        {error === 'tooMany' && <p className="field-error">{t('contactProof.tooMany')}</p>}
      </div>
      {isSent && (
        <>
          <Field
            name="contact-code"
            label={t('contactProof.code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={20}
            dir="ltr"
            error={error === 'wrong' ? t('contactProof.wrong') : undefined}
          />
          <Button type="submit" look="primary" busy={isBusy}>
            {t('contactProof.submit')}
          </Button>
        </>
      )}
      {isOptedIn && (
        <div className="preferences-buttons">
          <p className="preferences-hint">{t('contactProof.noMore')}</p>
          <Button
            className="preferences-opt-out"
            disabled={!isRunning}
            aria-disabled={isBusy}
            aria-haspopup="dialog"
            onClick={() => {
              // What is answered during another call would be lost.
              if (!isBusy) signals.send({ type: 'OPEN_MODAL', modal: 'unsubscribeFromAll' });
            }}
          >
            {t('preferences.optOutOfAll')}
          </Button>
        </div>
      )}
    </form>
  );
}
