import { useEffect, useRef, useState } from 'react';
import type { Captcha } from '../../shell/captcha.ts';
import { useTexts } from '../../shell/texts.ts';
import { fieldId } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';

interface CaptchaBoxProps {
  captcha: Captcha;
  error: string | undefined;
}

type Progress = 'idle' | 'working' | 'done' | 'failed';

/** A checkbox and no puzzle (WCAG 3.3.8). Ticked before the script arrived, it counts as ticked. */
export function CaptchaBox({ captcha, error }: CaptchaBoxProps) {
  const { t } = useTexts();
  const box = useRef<HTMLInputElement>(null);
  const [progress, setProgress] = useState<Progress>('idle');
  const id = fieldId('recaptcha');

  const follow = async () => {
    if (!box.current?.checked) return setProgress('idle');
    setProgress('working');
    const answer = await captcha.answer();
    if (!box.current?.checked) return;
    if (answer === null) box.current.checked = false;
    setProgress(answer === null ? 'failed' : 'done');
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was ticked before the script arrived
  useEffect(() => {
    if (box.current?.checked) follow();
  }, []);

  return (
    <div className="captcha" data-invalid={error ? '' : undefined} data-progress={progress}>
      <div className="captcha-row">
        <input
          type="checkbox"
          id={id}
          name="recaptcha"
          ref={box}
          onChange={follow}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error ${id}-progress` : `${id}-progress`}
        />
        <label htmlFor={id}>
          <span className="captcha-label">{t('login.recaptcha.label')}</span>
          <span className="captcha-progress" id={`${id}-progress`} role="status">
            {t(`login.recaptcha.${progress}`)}
          </span>
        </label>
        <Icon name="shield" className="captcha-icon" />
      </div>
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
