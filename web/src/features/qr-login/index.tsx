import './qr-login.css';
import { type FormEvent, useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { createAltcha, noCaptcha } from '../../shell/captcha.ts';
import { leaveFor } from '../../shell/leave-for.ts';
import { usePage } from '../../shell/page-context.ts';
import { useSignals } from '../../shell/signals.ts';
import { StandaloneFrame } from '../../shell/standalone-frame.tsx';
import { formatPhone, SupportNotice } from '../../shell/support-notice.tsx';
import { useTexts } from '../../shell/texts.ts';
import { useIsGone } from '../../shell/use-is-gone.ts';
import { useRegion } from '../../shell/use-region.ts';
import { Button } from '../../ui/button.tsx';
import { Field, fieldId } from '../../ui/field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Mark } from '../../ui/mark.tsx';
import { createQrLoginMachine } from './qr-login.machine.ts';
import { checkGuid, signInByQr } from './qr-sign-in.ts';

/** Where a ballot's QR code leads: the birth date of its voter is all that is asked. */
export default function QrLoginPage() {
  const { t } = useTexts();
  const { branding } = usePage();
  const signals = useSignals();
  const [, navigate] = useLocation();
  const [parameters] = useSearchParams();
  const guid = parameters.get('guid') ?? '';
  // Proof of work also where the form of the full site shows another CAPTCHA: this page has no room for a box.
  const [captcha] = useState(() => (branding.captcha.kind === 'off' ? noCaptcha : createAltcha(0)));
  const [isMoreWork, setMoreWork] = useState(false);
  const isGone = useIsGone();
  const [machine] = useState(() => {
    // The voter who was signed in before is not this ballot's voter: a new page keeps nothing of the earlier one.
    const enter = () => leaveFor('/voter/dashboard');
    return createQrLoginMachine({
      checkGuid: () => checkGuid(guid, document.documentElement.lang),
      signIn: async (dateOfBirth) => {
        const outcome = await signInByQr(guid, dateOfBirth, {
          captcha,
          onMoreWork: () => setMoreWork(true),
          county: branding.account_id === -1 ? t('app.name') : branding.name,
          phone: formatPhone(branding.contact_phone),
          locale: document.documentElement.lang,
        });
        setMoreWork(false);
        // The machine ended with its page, and the session began all the same: it shows here, not to the next person.
        if (isGone.current && outcome.type === 'LOGIN') enter();
        return outcome;
      },
      enter,
      leave: (alerts) => {
        navigate('/', { replace: true });
        // The alerts are part of the frame there, and hear nothing before it stands.
        setTimeout(() => signals.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts }));
      },
    });
  });
  const [state, actor] = useRegion(machine);
  const { error } = state.context;

  useEffect(() => {
    if (error) document.getElementById(fieldId('date_of_birth'))?.focus();
  }, [error]);

  const isBusy = state.matches('submitting');
  const isLeaving = state.matches('entered') || state.matches('left');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get('date_of_birth');
    actor.send({ type: 'SUBMIT', dateOfBirth: String(typed ?? '').trim() });
  };

  return (
    <StandaloneFrame>
      <div className="qr-login">
        <div className="qr-login-card card">
          {branding.logo_url ? (
            <img className="qr-login-logo" src={branding.logo_url} alt="" width="88" height="88" />
          ) : (
            <Mark className="qr-login-logo" />
          )}
          <h1>{branding.name}</h1>
          {isLeaving ? (
            <Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />
          ) : (
            <form method="post" noValidate onSubmit={submit}>
              <p>{t('qrLogin.text')}</p>
              <Field
                name="date_of_birth"
                label={t('qrLogin.label')}
                hint={t('qrLogin.hint', { example: t('login.birthdate.hint') })}
                error={
                  error === 'empty' ? (
                    t('qrLogin.empty')
                  ) : error === 'mismatch' ? (
                    <Mismatch />
                  ) : undefined
                }
                autoComplete="bday"
                inputMode="numeric"
                dir="ltr"
                required
                onFocus={() => captcha.prepare()}
                onInput={() => actor.send({ type: 'EDIT' })}
              />
              <Button type="submit" look="primary" busy={isBusy}>
                {isBusy ? t('qrLogin.submitting') : t('qrLogin.submit')}
              </Button>
              <p role="status">{isBusy && isMoreWork && t('login.moreWork')}</p>
            </form>
          )}
        </div>
        <aside className="qr-login-help">
          <SupportNotice />
        </aside>
      </div>
    </StandaloneFrame>
  );
}

/** The way on for a voter whom the code does not know, as a link in the sentence that names it. */
function Mismatch() {
  const { t } = useTexts();
  const [before, after] = t('qrLogin.mismatch', { subdomain: '\u0000' }).split('\u0000');
  return (
    <>
      {before}
      <a href="/voter">
        <bdi>{location.host}</bdi>
      </a>
      {after}
    </>
  );
}
