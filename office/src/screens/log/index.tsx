import { officeCalls } from '@ballot-beacon/contract/office/calls';
import { type LogAnswer, LogQuery, logAreaNames } from '@ballot-beacon/contract/office/log';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useAddressFilter } from '../../shell/address-filter.ts';
import { useAddressOrder } from '../../shell/address-sort.ts';
import { FilterFields, ListPage } from '../../shell/list.tsx';
import { Scroll } from '../../shell/scroll.tsx';
import { useSession } from '../../shell/session.tsx';
import { SortHeader } from '../../shell/sort-header.tsx';
import { actionName, formatInstant, t } from '../../words/index.ts';

type Entry = LogAnswer['entries'][number];
type Filter = ReturnType<typeof useAddressFilter>;

/** Who did what in the office. The filter and the page are in the address. */
export function LogScreen() {
  const { act } = useSession();
  const filter = useAddressFilter('/log');
  const { data: query } = LogQuery.safeParse(filter.query);
  const log = useQuery({
    queryKey: ['log', query],
    queryFn: () => act('listLog', { query: query ?? {} }),
    placeholderData: keepPreviousData,
  });
  const { before: _b, after: _a, order: _o, ...exported } = filter.query;
  return (
    <>
      <h1>{t('log.title')}</h1>
      <p className="help">{t('log.help')}</p>
      <FilterFields
        filter={filter}
        menus={[
          {
            name: 'area',
            label: t('log.area'),
            all: t('log.area.all'),
            options: logAreaNames.map((one) => ({ value: one, name: t(`log.area.${one}`) })),
          },
        ]}
      >
        {/* A link, so that the browser saves the file as it comes. */}
        <a href={`${officeCalls.downloadLog.path}?${new URLSearchParams(exported)}`} download>
          {t('log.download')}
        </a>
      </FilterFields>
      {filter.valueOf('actor') !== '' && (
        <p>
          <Link href={filter.hrefOf('actor', null)}>{t('log.by.all')}</Link>
        </p>
      )}
      <ListPage
        filter={filter}
        query={log}
        isEmpty={({ entries }) => entries.length === 0}
        none={t('log.none')}
      >
        {({ entries }) => <Entries entries={entries} filter={filter} />}
      </ListPage>
    </>
  );
}

function Entries({ entries, filter }: { readonly entries: Entry[]; readonly filter: Filter }) {
  const { session } = useSession();
  const order = useAddressOrder(filter);
  return (
    <Scroll label={t('log.title')} className="scroll card">
      <table className="table">
        <thead>
          <tr>
            <SortHeader name={t('log.when')} direction={order.direction} onSort={order.turn} />
            <th scope="col">{t('log.who')}</th>
            <th scope="col">{t('log.action')}</th>
            <th scope="col">{t('log.target')}</th>
            <th scope="col">{t('log.details')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.audit_id}>
              <td>{formatInstant(entry.at, session)}</td>
              <td>
                <Link
                  href={filter.hrefOf('actor', entry.actor)}
                  aria-label={t('log.by', { who: entry.who })}
                >
                  {entry.who}
                </Link>
              </td>
              <td>{actionName(entry.action)}</td>
              <td>{entry.target}</td>
              <td className="soft">
                {entry.details.map(({ name, value }) => (
                  <span key={name} className="log-detail">
                    {spell(name)}: {value}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** `passedOver` and `passed_over` as `passed over`. */
function spell(name: string): string {
  return name.replaceAll('_', ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
