import './verify.css';
import type { MessageOrigins } from '@ballot-beacon/contract/message-check';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { oopsAlert } from '../../shell/alerts.ts';
import { useFormats } from '../../shell/formats.ts';
import { usePage } from '../../shell/page-context.ts';
import { useSignals } from '../../shell/signals.ts';
import { StandaloneFrame } from '../../shell/standalone-frame.tsx';
import { formatPhone, SupportNotice } from '../../shell/support-notice.tsx';
import { useTexts } from '../../shell/texts.ts';
import { tooManyAlert } from '../../shell/too-many-alert.ts';
import { Button } from '../../ui/button.tsx';
import { Field, fieldId } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Words } from '../../ui/words.tsx';
import { type Checked, checkCode, looksLikeCode } from './check-code.ts';

const neverAsked = ['vote', 'numbers', 'money', 'password'] as const;

/** Whether a message is from the office, for anybody who got one. */
export default function VerifyPage() {
  const { t } = useTexts();
  const { branding } = usePage();
  const signals = useSignals();
  const [state, setState] = useState<'idle' | 'wrong' | 'checking'>('idle');
  const [checked, setChecked] = useState<Checked | null>(null);
  const edits = useRef(0);
  const office = branding.account_id === -1 ? t('app.name') : branding.name;

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (state === 'checking') return;
    const code = String(new FormData(event.currentTarget).get('code') ?? '');
    setChecked(null);
    signals.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts: [] });
    if (!looksLikeCode(code)) {
      setState('wrong');
      document.getElementById(fieldId('code'))?.focus();
      return;
    }
    setState('checking');
    const asked = edits.current;
    const outcome = await checkCode(code);
    // Another code stands in the field, of which this says nothing.
    if (edits.current !== asked) return;
    setState('idle');
    if (outcome.kind === 'checked') return setChecked(outcome.checked);
    const { lang } = document.documentElement;
    const alert =
      outcome.kind === 'too-many'
        ? tooManyAlert(lang, outcome.seconds)
        : oopsAlert(outcome.kind === 'refused' ? outcome.problem.err_id : undefined);
    signals.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts: [alert] });
  };

  return (
    <StandaloneFrame>
      <div className="verify">
        <section className="verify-card card">
          <h1>{t('verify.title')}</h1>
          <p>{t('verify.intro', { office })}</p>
          <form method="post" noValidate onSubmit={submit}>
            <Field
              name="code"
              label={t('verify.label')}
              hint={t('verify.hint', { example: '7K3M-9QX2' })}
              error={state === 'wrong' ? t('verify.invalid') : undefined}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={40}
              dir="ltr"
              onInput={() => {
                edits.current += 1;
                setState('idle');
                setChecked(null);
              }}
            />
            <Button type="submit" look="primary" busy={state === 'checking'}>
              {t('verify.button')}
            </Button>
          </form>
          <Answer checked={checked} office={office} />
        </section>
        <section className="verify-card card">
          <h2>{t('verify.never.title')}</h2>
          <ul>
            {neverAsked.map((what) => (
              <li key={what}>{t(`verify.never.${what}`)}</li>
            ))}
          </ul>
        </section>
        <Origins />
        <aside>
          <SupportNotice />
        </aside>
      </div>
    </StandaloneFrame>
  );
}

/** What became of the code; its heading has the focus as soon as it is there. */
function Answer({ checked, office }: { checked: Checked | null; office: string }) {
  const { t } = useTexts();
  const { branding } = usePage();
  const formats = useFormats();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (checked) heading.current?.focus();
  }, [checked]);
  if (!checked) return null;
  const { message } = checked;
  const phone = formatPhone(branding.contact_phone);
  return (
    <div className="verify-answer" data-found={message ? '' : undefined}>
      <h2 ref={heading} tabIndex={-1}>
        <Icon name={message ? 'checkCircle' : 'caution'} />
        {t(message ? 'verify.found.title' : 'verify.unknown.title')}
      </h2>
      {message && (
        <p>
          {t(`verify.found.${message.channel}`, {
            office,
            date: formats.words(message.sent_on),
            kind: t(`verify.kind.${message.topic}`),
          })}
        </p>
      )}
      <p>
        <Words text={t(message ? 'verify.found.caution' : 'verify.unknown.text', { phone })} />
      </p>
    </div>
  );
}

/** From where the office's messages of late came, and what they were about; nothing until that is known. */
function Origins() {
  const { t } = useTexts();
  const [origins, setOrigins] = useState<MessageOrigins | null>(null);
  useEffect(() => {
    const gone = new AbortController();
    call('getMessageOrigins', {}, gone.signal).then((outcome) => {
      if (outcome.kind === 'answered') setOrigins(outcome.answer);
    });
    return () => gone.abort();
  }, []);
  if (!origins) return null;
  const { senders, topics, address } = origins;
  return (
    <section className="verify-card card">
      <h2>{t('verify.sent.title')}</h2>
      {senders.length === 0 ? (
        <p>{t('verify.sent.none')}</p>
      ) : (
        <>
          <ul>
            {senders.map(({ channel, sender }) => (
              <li key={channel + sender}>
                <Words
                  text={t(`verify.sent.${channel}`, {
                    sender: channel === 'email' ? sender : formatPhone(sender),
                  })}
                />
              </li>
            ))}
            <li>{t('verify.sent.links', { address })}</li>
          </ul>
          <p>{t('verify.sent.about')}</p>
          <ul>
            {topics.map((topic) => (
              <li key={topic}>{t(`verify.kind.${topic}`)}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
