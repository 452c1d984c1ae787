import { languageNames } from '@ballot-beacon/contract/languages';
import { channels, messageKinds } from '@ballot-beacon/contract/messages';
import {
  type ListedMessage,
  MessagesQuery,
  messageOutcomeNames,
} from '@ballot-beacon/contract/office/messages';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useAddressFilter } from '../../shell/address-filter.ts';
import { Choice } from '../../shell/choice.tsx';
import { DayField } from '../../shell/day-field.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { Pager } from '../../shell/pager.tsx';
import { useSession } from '../../shell/session.tsx';
import { formatInstant, languageName, statusName, t } from '../../words/index.ts';

/** Every message and what became of it. The filter and the page are in the address. */
export function MessagesScreen() {
  const { act } = useSession();
  const filter = useAddressFilter('/messages');
  const { data: query } = MessagesQuery.safeParse(filter.query);
  const messages = useQuery({
    queryKey: ['messages', query],
    queryFn: () => act('listMessages', { query: query ?? {} }),
    placeholderData: keepPreviousData,
  });
  const choices = {
    kind: messageKinds.map((one) => ({ value: one, name: t(`message.kind.${one}`) })),
    channel: channels.map((one) => ({ value: one, name: t(`channel.${one}`) })),
    language: languageNames.map((one) => ({ value: one, name: languageName(one) })),
    outcome: messageOutcomeNames.map((one) => ({
      value: one,
      name: t(`messages.outcome.${one}`),
    })),
  };
  return (
    <>
      <h1>{t('messages.title')}</h1>
      <p className="help">{t('messages.help')}</p>
      <div className="panel card filters">
        {(['kind', 'channel', 'language', 'outcome'] as const).map((name) => (
          <Choice
            key={name}
            id={name}
            label={t(`messages.${name}`)}
            value={filter.valueOf(name)}
            options={[{ value: '', name: t('messages.all') }, ...choices[name]]}
            onChange={(value) => filter.change(name, value)}
          />
        ))}
        {(['from', 'to'] as const).map((name) => (
          <DayField
            key={name}
            id={name}
            label={t(`messages.${name}`)}
            value={filter.valueOf(name)}
            onChange={(day) => filter.change(name, day)}
          />
        ))}
      </div>
      <Loaded query={messages}>
        {({ messages: shown, next }) => (
          <>
            {shown.length === 0 ? (
              <p role="status">{t('messages.none')}</p>
            ) : (
              <List messages={shown} />
            )}
            <Pager filter={filter} next={next} />
          </>
        )}
      </Loaded>
    </>
  );
}

function List({ messages }: { readonly messages: readonly ListedMessage[] }) {
  const { session } = useSession();
  return (
    <div className="scroll card">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('messages.created')}</th>
            <th scope="col">{t('messages.kind')}</th>
            <th scope="col">{t('messages.channel')}</th>
            <th scope="col">{t('messages.language')}</th>
            <th scope="col">{t('messages.state')}</th>
            <th scope="col">{t('messages.voter')}</th>
          </tr>
        </thead>
        <tbody>
          {messages.map((one) => (
            <tr key={one.message_id}>
              <td>{formatInstant(one.created_at, session)}</td>
              <th scope="row">
                <Link href={`/messages/${one.message_id}`}>{t(`message.kind.${one.kind}`)}</Link>
                {one.status && <span className="soft"> {statusName(one.status)}</span>}
              </th>
              <td>{t(`channel.${one.channel}`)}</td>
              <td>{languageName(one.language)}</td>
              <td>{t(`message.state.${one.state}`)}</td>
              <td>
                {one.voter_id !== null && (
                  <Link href={`/voters/${one.voter_id}`}>{one.registration_id}</Link>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
