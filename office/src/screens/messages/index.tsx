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
import { useAddressOrder } from '../../shell/address-sort.ts';
import { FilterFields, ListPage } from '../../shell/list.tsx';
import { Scroll } from '../../shell/scroll.tsx';
import { useSession } from '../../shell/session.tsx';
import { SortHeader } from '../../shell/sort-header.tsx';
import { formatInstant, languageName, statusName, t } from '../../words/index.ts';
import { QueuePanel } from './queue.tsx';

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
      <FilterFields
        filter={filter}
        menus={(['kind', 'channel', 'language', 'outcome'] as const).map((name) => ({
          name,
          label: t(`messages.${name}`),
          all: t('messages.all'),
          options: choices[name],
        }))}
      />
      <ListPage
        filter={filter}
        query={messages}
        isEmpty={({ messages: shown }) => shown.length === 0}
        none={t('messages.none')}
      >
        {({ messages: shown }) => <List messages={shown} filter={filter} />}
      </ListPage>
      <QueuePanel />
    </>
  );
}

function List({
  messages,
  filter,
}: {
  readonly messages: readonly ListedMessage[];
  readonly filter: ReturnType<typeof useAddressFilter>;
}) {
  const { session } = useSession();
  const order = useAddressOrder(filter);
  return (
    <Scroll label={t('messages.title')} className="scroll card">
      <table className="table">
        <thead>
          <tr>
            <SortHeader
              name={t('messages.created')}
              direction={order.direction}
              onSort={order.turn}
            />
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
    </Scroll>
  );
}
