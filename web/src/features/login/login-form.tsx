import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { oopsAlert } from '../../shell/alerts.ts';
import { createAltcha, createBoxedCaptcha, noCaptcha } from '../../shell/captcha.ts';
import { usePage } from '../../shell/page-context.ts';
import { useSession } from '../../shell/session-context.ts';
import { useSignals } from '../../shell/signals.ts';
import { formatPhone } from '../../shell/support-notice.tsx';
import { useTexts } from '../../shell/texts.ts';
import { useIsGone } from '../../shell/use-is-gone.ts';
import { useRegion } from '../../shell/use-region.ts';
import { Button } from '../../ui/button.tsx';
import { fieldId } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/loading.tsx';
import { CaptchaBox } from './captcha-box.tsx';
import { type LoginErrors, type LoginField, readEntries } from './entries.ts';
import { ErrorSummary } from './error-summary.tsx';
import { LoginFields, type LoginStep } from './login-fields.tsx';
import { createLoginFormMachine } from './login-form.machine.ts';
import type { LoginTips } from './login-tips.tsx';
import type { RecaptchaBox } from './recaptcha-box.tsx';

const ambiguousStates = new Set(['ambiguous', 'ambiguousSubmitting', 'ambiguousError']);
const tokenStates = new Set(['token', 'tokenSubmitting', 'tokenError']);
const captchas = {
  altcha: () => createAltcha(),
  recaptcha: createBoxedCaptcha,
  off: () => noCaptcha,
};
/** The extra field of a step: wrong when the details were right and still nobody matched. */
const extraFields = { base: undefined, voterId: 'provided_voter_id', token: 'token' } as const;
const loadSubmission = () => import('./submission.ts');

interface LoginFormProps {
  /** Called at the first sign of use: time to fetch what comes after signing in. */
  onFirstUse: () => void;
  /** What was typed into a form that was sent before the script arrived. */
  sent?: Readonly<Record<string, string>> | undefined;
}

export function LoginForm({ onFirstUse, sent = {} }: LoginFormProps) {
  const { t } = useTexts();
  const { branding } = usePage();
  const session = useSession();
  const signals = useSignals();
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLElement>(null);
  const hasFailed = useRef(false);
  const [errors, setErrors] = useState<LoginErrors>({});
  const { kind: captchaKind, site_key: siteKey } = branding.captcha;
  const [captcha] = useState(captchas[captchaKind]);
  const [Recaptcha, setRecaptcha] = useState<typeof RecaptchaBox>();

  const isGone = useIsGone();
  const [machine] = useState(() => {
    const closeAlerts = () => signals.send({ type: 'CLOSE_ALL' });
    const announceLogin = () => signals.send({ type: 'LOGIN' });
    return createLoginFormMachine({
      signIn: async (credentials) => {
        const { signIn } = await loadSubmission();
        const outcome = await signIn(credentials, {
          captcha,
          onMoreWork: () => setMoreWork(true),
          availabilityUrl: branding.account_id === -1 ? branding.availability_url : null,
          county: branding.account_id === -1 ? t('app.name') : branding.name,
          phone: formatPhone(branding.contact_phone),
          locale: document.documentElement.lang,
        });
        setMoreWork(false);
        // The machine ended with its form, and the session began all the same: it shows here, not to the next person.
        if (isGone.current && outcome.type === 'LOGIN') {
          closeAlerts();
          announceLogin();
        }
        return outcome;
      },
      announceLogin,
      showAlerts: (alerts) => signals.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts }),
      countFailure: () => {
        setFailures((count) => count + 1);
        // Only some voters need them; without them the form still says what is wrong.
        import('./login-tips.tsx').then(
          (tips) => setTips(() => tips.LoginTips),
          () => {}, // tried again at the next failure
        );
      },
      closeAlerts,
      resetCaptcha: () => {
        captcha.reset();
        setCaptchaRound((round) => round + 1);
      },
      resetCaptchaUnseen: () => {
        captcha.reset();
        captcha.prepare();
        // Google's box cannot answer unseen; it comes into sight.
        if (captchaKind === 'recaptcha') setCaptchaRound((round) => round + 1);
      },
    });
  });
  const [captchaRound, setCaptchaRound] = useState(0);
  const [isMoreWork, setMoreWork] = useState(false);
  /** How often nobody matched. */
  const [failures, setFailures] = useState(0);
  const [Tips, setTips] = useState<typeof LoginTips>();
  const [wrongField, setWrongField] = useState<LoginField>();
  const [state, region] = useRegion(machine, { input: { isSignedIn: session !== null } });
  const value = String(state.value);
  const step: LoginStep = ambiguousStates.has(value)
    ? 'voterId'
    : tokenStates.has(value)
      ? 'token'
      : 'base';
  // What checks the entries may still be on its way.
  const [isChecking, setChecking] = useState(false);
  const isBusy = isChecking || value.toLowerCase().endsWith('submitting');

  const loadRecaptcha = () => {
    if (captchaKind !== 'recaptcha' || Recaptcha) return;
    import('./recaptcha-box.tsx').then(
      ({ RecaptchaBox }) => setRecaptcha(() => RecaptchaBox),
      () => {}, // tried again at the next use
    );
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(loadRecaptcha, []);

  // The keyboard goes where the page asks for something new.
  const shownStep = useRef(step);
  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    setErrors({});
    setWrongField(undefined);
    // What was asked of one person is never sent for the next.
    if (step === 'base') {
      for (const name of ['provided_voter_id', 'token']) {
        const field = form.current?.elements.namedItem(name);
        if (field instanceof HTMLInputElement) field.value = '';
      }
    }
    document.getElementById(fieldId(extraFields[step] ?? 'firstname'))?.focus();
  }, [step]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure points to the field anew
  useEffect(() => {
    const wrong = failures > 0 ? extraFields[step] : undefined;
    setWrongField(wrong);
    if (wrong) document.getElementById(fieldId(wrong))?.focus();
  }, [failures]);

  useEffect(() => {
    if (Object.keys(errors).length > 0) summary.current?.focus();
  }, [errors]);

  if (state.matches('hidden'))
    return (
      // Where the skip link leads, also while there is no form.
      <div id={fieldId('firstname')} tabIndex={-1}>
        <Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />
      </div>
    );

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const extra: LoginField[] = [];
    const typed = new FormData(event.currentTarget);
    if (step === 'voterId' || (step === 'token' && typed.get('provided_voter_id')))
      extra.push('provided_voter_id');
    if (step === 'token') extra.push('token');
    const entries = readEntries(event.currentTarget, extra);
    setChecking(true);
    const checked = await loadSubmission().then(
      ({ checkEntries }) =>
        checkEntries(captcha === noCaptcha ? { ...entries, recaptcha: 'off' } : entries),
      () => null,
    );
    setChecking(false);
    if (!checked) {
      // A browser may never fetch a script again that failed once. The form sent as it is brings a new page, with what
      // was typed.
      if (hasFailed.current && navigator.onLine) return form.current?.submit();
      hasFailed.current = true;
      return signals.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts: [oopsAlert()] });
    }
    if ('errors' in checked) return setErrors({ ...checked.errors });
    setErrors({});
    setWrongField(undefined);
    region.send({ type: 'SUBMIT', credentials: checked.credentials });
  };

  const revert = () => region.send({ type: 'REVERT' });
  const revertOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || step === 'base') return;
    event.stopPropagation();
    revert();
  };
  const prepare = () => {
    loadSubmission().catch(() => {}); // tried again when it is needed
    captcha.prepare();
    loadRecaptcha();
    onFirstUse();
  };
  const say = (field: LoginField) => {
    const wrong = errors[field];
    return wrong && t(wrong);
  };
  const sayOfField = (field: LoginField) =>
    say(field) ??
    (field === wrongField
      ? t(field === 'token' ? 'login.token.wrong' : 'login.voterId.wrong')
      : undefined);
  const fieldProps = { shown: step, sent, say: sayOfField } as const;

  return (
    <form
      className="login-form"
      id="login-form"
      method="post"
      action="/voter/login"
      noValidate
      ref={form}
      onSubmit={submit}
      onFocus={prepare}
      onKeyDown={revertOnEscape}
      aria-labelledby="login-title"
      data-step={step}
    >
      <div className="login-heading">
        <h2 id="login-title">
          {t(
            {
              base: 'login.form.title',
              voterId: 'login.voterId.title',
              token: 'login.token.title',
            }[step],
          )}
        </h2>
        <p>{step === 'base' ? t('login.form.intro') : <KeptFor form={form.current} />}</p>
      </div>

      {Object.keys(sent).length > 0 && value === 'visible' && (
        <p className="login-again">
          <Icon name="info" />
          {t('login.again')}
        </p>
      )}

      <ErrorSummary summary={summary} say={say} />
      {failures >= 2 && Tips && <Tips />}

      <LoginFields of="base" {...fieldProps}>
        {captchaKind === 'altcha' && (
          <CaptchaBox captcha={captcha} error={say('recaptcha')} key={captchaRound} />
        )}
      </LoginFields>
      <LoginFields of="voterId" {...fieldProps} />
      <LoginFields of="token" {...fieldProps} />

      {captchaKind === 'recaptcha' &&
        (Recaptcha ? (
          <Recaptcha
            siteKey={siteKey ?? ''}
            step={step}
            round={captchaRound}
            error={say('recaptcha')}
          />
        ) : (
          <div className="recaptcha-place" />
        ))}

      <div className="login-buttons">
        <Button type="submit" look="primary" busy={isBusy}>
          {isBusy ? t('login.submitting') : t(step === 'base' ? 'login.submit' : 'login.continue')}
        </Button>
        {step !== 'base' && !isBusy && <Button onClick={revert}>{t('login.cancel')}</Button>}
      </div>
      <p className="login-more-work" role="status">
        {isBusy && isMoreWork && t('login.moreWork')}
      </p>
    </form>
  );
}

/** Says for whom the extra field is asked, out of what was typed. */
function KeptFor({ form }: { form: HTMLFormElement | null }) {
  const { t } = useTexts();
  if (!form) return null;
  const data = new FormData(form);
  const name = `${data.get('firstname') ?? ''} ${data.get('lastname') ?? ''}`.trim();
  return t('login.extra.kept', { name: `\u2068${name}\u2069` });
}
