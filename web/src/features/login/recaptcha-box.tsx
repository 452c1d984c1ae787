import { useEffect, useRef, useState } from 'react';
import { usePage } from '../../shell/page-context.ts';
import { formatPhone } from '../../shell/support-notice.tsx';
import { useTexts } from '../../shell/texts.ts';
import { Button } from '../../ui/button.tsx';
import { fieldId } from '../../ui/field.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Words } from '../../ui/words.tsx';
import { loadRecaptcha, type Recaptcha } from './recaptcha.ts';

export interface RecaptchaBoxProps {
  siteKey: string;
  /** The form's present question. */
  step: 'base' | 'voterId' | 'token';
  /** Counts the resets: a new number spends the answer. */
  round: number;
  error: string | undefined;
}

/**
 * Google's checkbox for an office that chose it. Nothing is asked of Google before the box comes into sight or the
 * form is used. Beside an extra question it shows only when a new answer is needed there.
 */
export function RecaptchaBox({ siteKey, step, round, error }: RecaptchaBoxProps) {
  const { t } = useTexts();
  const place = useRef<HTMLDivElement>(null);
  const box = useRef<{ api: Recaptcha; number: number } | null>(null);
  const isShownNow = useRef(true);
  const [isWanted, setWanted] = useState(false);
  const [progress, setProgress] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [tries, setTries] = useState(1);
  const [answer, setAnswer] = useState('');
  const [askedIn, setAskedIn] = useState(step);
  // Stays once it is there: it must not vanish under the finger that checks it.
  if (answer === '' && askedIn !== step) setAskedIn(step);
  const isShown = step === 'base' || askedIn === step;
  const language = t('login.recaptcha.language');
  const id = fieldId('recaptcha');

  useEffect(() => {
    const form = place.current?.closest('form');
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) want();
    });
    const want = () => {
      setWanted(true);
      stop();
    };
    const stop = () => {
      observer.disconnect();
      form?.removeEventListener('focusin', want);
    };
    if (place.current) observer.observe(place.current);
    form?.addEventListener('focusin', want);
    // The focus may have come before this script.
    if (form?.contains(document.activeElement)) want();
    return stop;
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try draws the box anew
  useEffect(() => {
    const element = document.createElement('div');
    let isCurrent = isWanted;
    if (isWanted) {
      place.current?.append(element);
      setProgress('loading');
      setAnswer('');
      const fail = () => {
        if (!isCurrent) return;
        setAnswer('');
        setProgress('failed');
      };
      loadRecaptcha(language)
        .then((api) => {
          if (!isCurrent) return;
          const number = api.render(element, {
            sitekey: siteKey,
            theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
            size: (place.current?.clientWidth ?? 0) < 304 ? 'compact' : 'normal',
            callback: (text) => isCurrent && setAnswer(text),
            'expired-callback': () => {
              // Sent already, the answer is kept by the server for the extra question. Coming back into sight is a new round.
              if (isCurrent && isShownNow.current) setAnswer('');
            },
            'error-callback': fail,
          });
          box.current = { api, number };
          setProgress('ready');
        })
        .catch(fail);
    }
    return () => {
      isCurrent = false;
      box.current = null;
      element.remove();
    };
  }, [isWanted, language, siteKey, tries]);

  const ask = () => {
    setAnswer('');
    box.current?.api.reset(box.current.number);
  };
  const seenRound = useRef(round);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks anew, and nothing else does
  useEffect(() => {
    if (seenRound.current !== round) ask();
    seenRound.current = round;
  }, [round]);
  useEffect(() => {
    isShownNow.current = isShown;
  }, [isShown]);

  return (
    <fieldset
      className="recaptcha"
      hidden={!isShown}
      id={id}
      tabIndex={-1}
      data-invalid={error ? '' : undefined}
      aria-label={t('login.recaptcha.label')}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <input type="hidden" name="recaptcha" value={answer} />
      <div className="recaptcha-place" ref={place} hidden={progress === 'failed'}>
        {progress === 'loading' && (
          <Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />
        )}
      </div>
      {progress === 'failed' && <Blocked onRetry={() => setTries(tries + 1)} />}
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** Without the check nobody can sign in, so the office is named that can help otherwise. */
function Blocked({ onRetry }: { onRetry: () => void }) {
  const { t } = useTexts();
  const { branding } = usePage();
  return (
    <div className="recaptcha-blocked" role="alert">
      <p>{t('login.recaptcha.blocked')}</p>
      <p>
        <Words
          text={t('support.default', {
            county: branding.name,
            phone: formatPhone(branding.contact_phone),
            email: branding.contact_email,
          })}
        />
      </p>
      <Button onClick={onRetry}>{t('app.retry')}</Button>
    </div>
  );
}
