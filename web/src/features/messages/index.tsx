import './messages.css';
import type { OwnMessage, OwnMessages } from '@ballot-beacon/contract/own-messages';
import { useCallback, useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { AlertLines } from '../../shell/alert-lines.tsx';
import { type Alert, oopsAlert } from '../../shell/alerts.ts';
import { useFormats } from '../../shell/formats.ts';
import { useSignals } from '../../shell/signals.ts';
import { SupportNotice } from '../../shell/support-notice.tsx';
import { useTexts } from '../../shell/texts.ts';
import { tooManyAlert } from '../../shell/too-many-alert.ts';
import { useFocusAfter } from '../../shell/use-focus-after.ts';
import { useIsGone } from '../../shell/use-is-gone.ts';
import { watchLogOut } from '../../shell/watch-log-out.ts';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { toCsv } from './csv.ts';
import { describeConsent, describeMessage, type Row } from './rows.ts';

/** What was sent to the voter, what the voter agreed to, and both to take home. */
export default function MessagesPage() {
  const { t } = useTexts();
  const formats = useFormats();
  const { own, isFailed, load } = useOwnMessages();
  const { sendAgain, sending } = useSendAgain(load);

  if (isFailed)
    return (
      <section className="message-page card" role="alert">
        <h1>{t('messages.title')}</h1>
        <AlertLines alert={oopsAlert()} />
        <Button look="primary" onClick={load}>
          {t('app.retry')}
        </Button>
      </section>
    );
  const messages = own?.messages.map((one) => ({ one, row: describeMessage(one, t, formats) }));
  const consents = own?.consents.map((one) => describeConsent(one, t, formats));
  const download = () => {
    const columns = ['when', 'what', 'how', 'address', 'status'] as const;
    const header = columns.map((column) => t(`messages.column.${column}`));
    const rows = [...(messages ?? []).map(({ row }) => row), ...(consents ?? [])];
    save(toCsv([header, ...rows.map((row) => columns.map((column) => row[column]))]));
  };

  return (
    <div className="messages">
      <section className="messages-card card">
        <h1>{t('messages.title')}</h1>
        <p>{t('messages.intro')}</p>
        <div className="messages-buttons">
          <Button disabled={!own} onClick={download}>
            {t('messages.download')}
          </Button>
          <Button onClick={() => print()}>{t('dashboard.print')}</Button>
        </div>
        <h2 id="messages-list" tabIndex={-1}>
          {t('messages.list')}
        </h2>
        {!messages ? (
          <Loading text={t('app.loading')} slowText={t('app.loadingSlow')} />
        ) : messages.length === 0 ? (
          <p>{t('messages.none')}</p>
        ) : (
          <ul className="messages-list">
            {messages.map(({ one, row }) => (
              <li key={one.message_id}>
                <Entry row={row} />
                <Again message={one} isBusy={sending !== null} send={sendAgain} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section className="messages-card card">
        <h2>{t('messages.consents')}</h2>
        {consents?.length === 0 && <p>{t('messages.noConsents')}</p>}
        <ul className="messages-list">
          {consents?.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is only ever replaced as a whole
            <li key={index}>
              <Entry row={row} />
            </li>
          ))}
        </ul>
      </section>
      <aside>
        <SupportNotice />
      </aside>
    </div>
  );
}

function Entry({ row }: { row: Row }) {
  return (
    <>
      <h3>{row.what}</h3>
      <p>
        {row.when} · {row.how} · <bdi dir="ltr">{row.address}</bdi>
      </p>
      <p>{row.status}</p>
    </>
  );
}

interface AgainProps {
  message: OwnMessage;
  isBusy: boolean;
  send(message: OwnMessage): void;
}

/** The way to get a message once more, or why there is none. */
function Again({ message, isBusy, send }: AgainProps) {
  const { t } = useTexts();
  useFocusAfter(message.again === 'possible', 'messages-list');
  if (message.again === 'possible')
    return (
      <Button busy={isBusy} onClick={() => send(message)}>
        {t('messages.again.button')}
      </Button>
    );
  if (message.again === 'outdated')
    return <p className="messages-hint">{t('messages.again.outdated')}</p>;
  if (message.again === 'no-address')
    return <p className="messages-hint">{t('messages.again.noAddress')}</p>;
  return null;
}

function useOwnMessages() {
  const [own, setOwn] = useState<OwnMessages | null>(null);
  const [isFailed, setFailed] = useState(false);
  const isGone = useIsGone();
  const load = useCallback(async () => {
    setFailed(false);
    const outcome = await call('getOwnMessages', {});
    if (isGone.current) return;
    if (outcome.kind === 'answered') setOwn(outcome.answer);
    else setFailed(true);
  }, [isGone]);
  useEffect(() => {
    void load();
  }, [load]);
  return { own, isFailed, load };
}

/** @param load shows what is on its way now */
function useSendAgain(load: () => Promise<void>) {
  const signals = useSignals();
  const isGone = useIsGone();
  const [sending, setSending] = useState<number | null>(null);
  const sendAgain = async ({ message_id }: OwnMessage) => {
    if (sending !== null) return;
    setSending(message_id);
    const isSignedIn = watchLogOut(signals);
    const outcome = await call('sendMessageAgain', { params: { id: String(message_id) } });
    if (!isSignedIn()) return;
    setSending(null);
    const say = (alert: Alert) => signals.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts: [alert] });
    if (outcome.kind === 'answered') {
      const { address } = outcome.answer;
      say({ type: 'success', messages: [{ key: 'messages.again.done', values: { address } }] });
    } else if (outcome.kind === 'failed') return say(oopsAlert());
    else if (outcome.problem.status === 429) {
      const { lang } = document.documentElement;
      return say(
        outcome.retryAfter === null
          ? { type: 'notice', messages: [{ key: 'messages.again.limited' }] }
          : tooManyAlert(lang, outcome.retryAfter),
      );
    } else if (outcome.problem.status !== 409) return say(oopsAlert(outcome.problem.err_id));
    if (!isGone.current) await load();
  };
  return { sendAgain, sending };
}

function save(csv: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));
  link.download = 'messages.csv';
  link.click();
  // A browser that saves it slowly still has it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
