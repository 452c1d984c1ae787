import type { MessageAnswer } from '@ballot-beacon/contract/office/messages';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Loaded } from '../../shell/loaded.tsx';
import { useSession } from '../../shell/session.tsx';
import { formatInstant, nameOf, statusName, t } from '../../words/index.ts';

/** One message whole: where it went, when, and what its provider reported. Opening it is recorded. */
export function MessageScreen({ messageId }: { readonly messageId: number }) {
  const { act } = useSession();
  const message = useQuery({
    queryKey: ['message', messageId],
    queryFn: () => act('getMessage', { params: { message_id: messageId } }),
    // Each request is a look on record: only the person asks for one.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <>
      <p>
        <Link href="/messages">← {t('messages.title')}</Link>
      </p>
      <h1>{t('message.title', { id: String(messageId) })}</h1>
      <Loaded query={message}>
        {(data) => (
          <div className="panels">
            <Facts message={data} />
            <Receipts receipts={data.receipts} />
            {data.sample && (
              <section className="panel panel-wide card">
                <h2>{t('message.text')}</h2>
                <p className="help">{t('message.text.help')}</p>
                {data.sample.subject !== null && <p>{data.sample.subject}</p>}
                <pre className="message-text">{data.sample.body}</pre>
              </section>
            )}
          </div>
        )}
      </Loaded>
    </>
  );
}

function Facts({ message }: { readonly message: MessageAnswer }) {
  const { session } = useSession();
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('messages.kind'), t(`message.kind.${message.kind}`)],
    [t('table.status'), message.status && statusName(message.status)],
    [t('messages.state'), t(`message.state.${message.state}`)],
    [
      t('messages.voter'),
      message.voter_id && (
        <Link href={`/voters/${message.voter_id}`}>{message.registration_id}</Link>
      ),
    ],
    [t('messages.channel'), t(`channel.${message.channel}`)],
    [t('message.address'), message.address],
    [t('messages.created'), formatInstant(message.created_at, session)],
    [t('message.after'), formatInstant(message.deliver_after, session)],
    [t('message.sent'), message.sent_at && formatInstant(message.sent_at, session)],
    [t('message.attempts'), message.attempts > 1 && message.attempts],
    [t('message.provider'), message.provider],
    [t('message.error'), message.error],
    [
      t('message.file'),
      message.import_id &&
        (session.permissions.includes('files') ? (
          <Link href={`/files/${message.import_id}`}>{message.import_id}</Link>
        ) : (
          message.import_id
        )),
    ],
  ];
  return (
    <section className="panel card">
      <table className="table">
        <tbody>
          {facts
            .filter(([, value]) => value)
            .map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}

function Receipts({ receipts }: Pick<MessageAnswer, 'receipts'>) {
  const { session } = useSession();
  return (
    <section className="panel card">
      <h2>{t('message.receipts')}</h2>
      {receipts.length === 0 && <p>{t('message.receipts.none')}</p>}
      <ul className="todo">
        {receipts.map(({ at, outcome, error }) => (
          <li key={`${at} ${outcome}`}>
            <span className="soft">{formatInstant(at, session)}</span>{' '}
            {nameOf('message.outcome', outcome)} {error}
          </li>
        ))}
      </ul>
    </section>
  );
}
