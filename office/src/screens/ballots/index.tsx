import { type BallotsAnswer, BallotsQuery, noStatus } from '@ballot-beacon/contract/office/ballots';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useAddressFilter } from '../../shell/address-filter.ts';
import { ListPage } from '../../shell/list.tsx';
import { Scroll } from '../../shell/scroll.tsx';
import { useSession } from '../../shell/session.tsx';
import { formatDate, statusName, t } from '../../words/index.ts';

/** Whose ballots a figure of Today counts. */
export function BallotsScreen() {
  const { act } = useSession();
  const filter = useAddressFilter('/ballots');
  const { data: query } = BallotsQuery.safeParse(filter.query);
  const ballots = useQuery({
    queryKey: ['ballots', query],
    queryFn: query ? () => act('listBallots', { query }) : () => ({ ballots: [], next: null }),
    placeholderData: keepPreviousData,
  });
  const status = query?.status;
  return (
    <>
      <p>
        <Link href="/">← {t('nav.today')}</Link>
      </p>
      <h1>
        {status === undefined
          ? t('ballots.title')
          : t('ballots.with', { status: statusName(status === noStatus ? null : status) })}
      </h1>
      <p className="help">{t('ballots.help', { election: query?.election ?? '' })}</p>
      <ListPage
        filter={filter}
        query={ballots}
        isEmpty={({ ballots: shown }) => shown.length === 0}
        none={t('ballots.none')}
      >
        {({ ballots: shown }) => <List ballots={shown} />}
      </ListPage>
    </>
  );
}

function List({ ballots }: { readonly ballots: BallotsAnswer['ballots'] }) {
  return (
    <Scroll label={t('ballots.title')} className="scroll card">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('voter.id')}</th>
            <th scope="col">{t('voter.detail.name')}</th>
            <th scope="col">{t('ballots.number')}</th>
            <th scope="col">{t('table.status')}</th>
            <th scope="col">{t('ballots.since')}</th>
          </tr>
        </thead>
        <tbody>
          {ballots.map((one) => (
            <tr key={one.ballot_id}>
              <th scope="row">
                <Link href={`/voters/${one.voter_id}`}>{one.registration_id}</Link>
              </th>
              <td>{one.name}</td>
              <td>{one.ballot_number || '–'}</td>
              <td>{statusName(one.status)}</td>
              <td>{one.since === null ? '–' : formatDate(one.since)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
