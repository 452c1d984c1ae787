import './qr-login.css';
import { type FormEvent, useEffect, useState } from 'react';
import { createAltcha, noCaptcha } from '../../shell/captcha.ts';
import { leaveFor } from '../../shell/leave-for.ts';
import { usePage } from '../../shell/page-context.ts';
import { useSignals } from '../../shell/signals.ts';
import { StandaloneFrame } from '../../shell/standalone-frame.tsx';
import { formatPhone, SupportNotice } from '../../shell/support-notice.tsx';
import { useTexts } from '../../shell/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Field, fieldId } from '../../ui/field.tsx';
import { Words } from '../../ui/words.tsx';
import { looksLikeLetterCode, signInByLetter } from './letter-sign-in.ts';

/** With dashes at which no line breaks. */
const example = 'K7QD\u201193MX\u20112HPT\u2011W4RN';

type Wrong = { readonly field: 'code' | 'date_of_birth'; readonly key: string } | null;

/** Signs in by the code of an office's letter, typed by hand, for a voter who cannot scan it. */
export default function LetterPage() {
  const { t } = useTexts();
  const { branding } = usePage();
  const signals = useSignals();
  const [captcha] = useState(() => (branding.captcha.kind === 'off' ? noCaptcha : createAltcha(0)));
  const [wrong, setWrong] = useState<Wrong>(null);
  const [isBusy, setBusy] = useState(false);
  const [isMoreWork, setMoreWork] = useState(false);
  const office = {
    county: branding.account_id === -1 ? t('app.name') : branding.name,
    phone: formatPhone(branding.contact_phone),
  };

  useEffect(() => {
    if (wrong) document.getElementById(fieldId(wrong.field))?.focus();
  }, [wrong]);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const typed = new FormData(event.currentTarget);
    const code = String(typed.get('code') ?? '');
    const dateOfBirth = String(typed.get('date_of_birth') ?? '').trim();
    signals.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts: [] });
    if (!looksLikeLetterCode(code)) return setWrong({ field: 'code', key: 'letter.invalid' });
    if (!dateOfBirth) return setWrong({ field: 'date_of_birth', key: 'qrLogin.empty' });
    setWrong(null);
    setBusy(true);
    const trouble = await signInByLetter(code, dateOfBirth, {
      ...office,
      captcha,
      onMoreWork: () => setMoreWork(true),
      locale: document.documentElement.lang,
    });
    // A new page keeps nothing of a voter who was signed in before.
    if (!trouble) return leaveFor('/voter/dashboard');
    setBusy(false);
    setMoreWork(false);
    if ('field' in trouble) setWrong(trouble);
    else signals.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts: [trouble.alert] });
  };
  const errorOf = (field: 'code' | 'date_of_birth') =>
    wrong?.field === field ? <Words text={t(wrong.key, office)} /> : undefined;
  const shared = { dir: 'ltr', required: true, onInput: () => setWrong(null) } as const;

  return (
    <StandaloneFrame>
      <div className="qr-login">
        <div className="qr-login-card card">
          <h1>{t('letter.title')}</h1>
          <p>{t('letter.text')}</p>
          <form method="post" noValidate onSubmit={submit} onFocus={() => captcha.prepare()}>
            <Field
              name="code"
              label={t('letter.label')}
              hint={t('letter.hint', { example })}
              error={errorOf('code')}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={40}
              {...shared}
            />
            <Field
              name="date_of_birth"
              label={t('qrLogin.label')}
              hint={t('qrLogin.hint', { example: t('login.birthdate.hint') })}
              error={errorOf('date_of_birth')}
              autoComplete="bday"
              inputMode="numeric"
              {...shared}
            />
            <Button type="submit" look="primary" busy={isBusy}>
              {t(isBusy ? 'login.submitting' : 'login.submit')}
            </Button>
            <p role="status">{isBusy && isMoreWork && t('login.moreWork')}</p>
          </form>
        </div>
        <aside className="qr-login-help">
          <SupportNotice />
        </aside>
      </div>
    </StandaloneFrame>
  );
}
