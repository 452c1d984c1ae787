import type { VoterRecord } from '@ballot-beacon/contract/office/voters';
import { isBallotStatus } from '@ballot-beacon/contract/statuses';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Button } from '../../../../web/src/ui/button.tsx';
import { CallError } from '../../api/client.ts';
import { Failure } from '../../shell/failure.tsx';
import { Scroll } from '../../shell/scroll.tsx';
import { useSession } from '../../shell/session.tsx';
import { formatInstant, nameOf, statusName, t } from '../../words/index.ts';
import { useRecordChange } from './record.ts';

type Message = VoterRecord['messages'][number];

const tooMany = 429;

/** What was sent to the voter. What is still true can be sent again, for a voter who asks for it. */
export function Messages({ voter }: { readonly voter: VoterRecord }) {
  const { act } = useSession();
  const { voter_id, messages } = voter;
  const change = useRecordChange(voter_id);
  const send = useMutation({
    mutationFn: ({ message_id }: Message) =>
      act('sendVoterMessageAgain', { params: { voter_id, message_id } }),
    onSuccess: (_, { message_id: sent }) =>
      change((record) => ({
        ...record,
        messages: record.messages.map((one) =>
          one.message_id === sent ? { ...one, again: 'on-way' } : one,
        ),
      })),
  });
  return (
    <section className="panel panel-wide card" aria-labelledby="messages">
      <h2 id="messages">{t('voter.messages')}</h2>
      <div aria-live="polite">
        {send.data && (
          <p className="notice notice-good">{t('voter.again.done', { ...send.data })}</p>
        )}
      </div>
      <Failure text={send.error && explain(send.error)} />
      {messages.length === 0 ? (
        <p>{t('voter.messages.none')}</p>
      ) : (
        <Table
          messages={messages}
          onAgain={(message) => {
            if (!send.isPending) send.mutate(message);
          }}
        />
      )}
    </section>
  );
}

function explain(error: Error): string {
  const isLimit = error instanceof CallError && error.status === tooMany;
  return isLimit ? t('voter.again.limited') : error.message;
}

function Table({
  messages,
  onAgain,
}: {
  readonly messages: readonly Message[];
  readonly onAgain: (message: Message) => void;
}) {
  const { session } = useSession();
  return (
    <Scroll label={t('voter.messages')}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('voter.message.when')}</th>
            <th scope="col">{t('voter.message.what')}</th>
            <th scope="col">{t('table.channel')}</th>
            <th scope="col">{t('voter.message.address')}</th>
            <th scope="col">{t('table.outcome')}</th>
            <th scope="col">{t('voter.message.again')}</th>
          </tr>
        </thead>
        <tbody>
          {messages.map((one) => {
            const { message_id: id, again } = one;
            const when = formatInstant(one.at, session);
            const what = topicName(one.what);
            const channel = nameOf('channel', one.channel);
            return (
              <tr key={id}>
                <td>{when}</td>
                <th scope="row">
                  <Link href={`/messages/${id}`}>{what}</Link>
                </th>
                <td>{channel}</td>
                <td>{one.address}</td>
                <td>
                  {nameOf('message.state', one.state)} {one.error}
                </td>
                <td>
                  {again === 'possible' ? (
                    <Button
                      aria-label={t('voter.again.of', { what, channel, when })}
                      onClick={() => onAgain(one)}
                    >
                      {t('voter.again')}
                    </Button>
                  ) : (
                    <span className="soft">{t(`voter.again.${again}`)}</span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Every consent that the voter gave or took back. */
export function Consents({ consents }: Pick<VoterRecord, 'consents'>) {
  const { session } = useSession();
  return (
    <section className="panel panel-wide card">
      <h2>{t('voter.consents')}</h2>
      {consents.length === 0 && <p>{t('voter.consents.none')}</p>}
      <ul className="todo">
        {consents.map((one) => (
          <li key={`${one.at} ${one.channel} ${one.action}`}>
            <span className="soft">{formatInstant(one.at, session)}</span>{' '}
            {t('voter.consent', {
              channel: nameOf('channel', one.channel),
              address: one.address,
              action: one.action,
            })}{' '}
            <span className="soft">{one.source}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The ballot's status that a message is about, or its kind. */
function topicName(what: string): string {
  return isBallotStatus(what) ? statusName(what) : nameOf('message.kind', what);
}
