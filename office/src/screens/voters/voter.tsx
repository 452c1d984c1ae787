import { officeCalls } from '@ballot-beacon/contract/office/calls';
import type { VoterRecord } from '@ballot-beacon/contract/office/voters';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Loaded } from '../../shell/loaded.tsx';
import { Scroll } from '../../shell/scroll.tsx';
import { useSession } from '../../shell/session.tsx';
import { VoterPage } from '../../shell/voter-page.tsx';
import {
  formatBorn,
  formatDate,
  formatInstant,
  statusName,
  t,
  type WordKey,
} from '../../words/index.ts';
import { Calls } from './calls.tsx';
import { Consents, Messages } from './messages.tsx';
import { recordKey } from './record.ts';
import { SignIn } from './sign-in.tsx';

/** What is on record about a voter: the roll, each ballot with its events, messages and consents. Opening it is recorded. */
export function VoterScreen({ voterId }: { voterId: number }) {
  const { act } = useSession();
  const voter = useQuery({
    queryKey: recordKey(voterId),
    queryFn: () => act('getVoterRecord', { params: { voter_id: voterId } }),
    // Each request is a look on record: only the person asks for one.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <>
      <p>
        <Link href="/voters">← {t('voters.title')}</Link>
      </p>
      <Loaded query={voter}>
        {(data) => (
          <>
            <h1>
              {t('voter.id')} {data.registration_id}
            </h1>
            {!data.is_active && <p className="notice">{t('voter.inactive.text')}</p>}
            {data.is_confidential && <p className="notice">{t('voter.confidential.text')}</p>}
            <div className="panels">
              <div className="panels panel-wide">
                {data.details.length > 0 && <Details details={data.details} />}
                <SignIn voter={data} />
                <Calls voter={data} />
              </div>
              <div className="beside panel-wide">
                <div className="panels">
                  {data.ballots.length === 0 && (
                    <section className="panel card">
                      <h2>{t('voter.ballots')}</h2>
                      <p>{t('voter.ballots.none')}</p>
                    </section>
                  )}
                  {data.ballots.map((ballot) => (
                    <Ballot key={ballot.ballot_id} ballot={ballot} />
                  ))}
                </div>
                {data.is_active && !data.is_confidential && <AsTheVoter voterId={voterId} />}
              </div>
              {!data.is_confidential && <Messages voter={data} />}
              {!data.is_confidential && <Consents consents={data.consents} />}
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

/** The voter's own page, beside the events that it shows. */
function AsTheVoter({ voterId }: { voterId: number }) {
  const address = officeCalls.showVoterPage.path.replace(':voter_id', String(voterId));
  return (
    <section className="panel card preview-panel">
      <h2>{t('voter.page')}</h2>
      <p className="help">{t('voter.page.help')}</p>
      <VoterPage title={t('voter.page')} address={address} version="" widths={['phone']} />
    </section>
  );
}

const detailNames: Readonly<Record<string, WordKey>> = {
  name: 'voter.detail.name',
  born: 'voter.detail.born',
  address: 'voter.detail.address',
  county: 'voter.detail.county',
  phone: 'voter.detail.phone',
  email: 'voter.detail.email',
  language: 'voter.detail.language',
};

function Details({ details }: Pick<VoterRecord, 'details'>) {
  return (
    <section className="panel card">
      <h2>{t('voter.details')}</h2>
      <table className="table">
        <tbody>
          {details.map(({ name, value }) => (
            <tr key={name}>
              <th scope="row">{detailNames[name] ? t(detailNames[name]) : name}</th>
              <td>{name === 'born' ? formatBorn(value) : value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Ballot({ ballot }: { ballot: VoterRecord['ballots'][number] }) {
  const { session } = useSession();
  const show = (when: string) =>
    when.length === 10 ? formatDate(when) : formatInstant(when, session);
  return (
    <section className="panel panel-wide card">
      <h2>
        {ballot.election}, {formatDate(ballot.election_date)}
      </h2>
      <p>
        {t('voter.shown')} <strong className="badge">{statusName(ballot.status)}</strong>
        {ballot.is_ended && ` ${t('voter.ended')}`}
        {ballot.ballot_number && ` ${t('voter.number', { number: ballot.ballot_number })}`}
      </p>
      {ballot.events.length > 0 && (
        <Scroll label={ballot.election}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t('voter.event.when')}</th>
                <th scope="col">{t('table.status')}</th>
                <th scope="col">{t('voter.event.kind')}</th>
                <th scope="col">{t('voter.event.raw')}</th>
                <th scope="col">{t('voter.event.source')}</th>
                <th scope="col">{t('voter.event.recorded')}</th>
              </tr>
            </thead>
            <tbody>
              {ballot.events.map((event) => (
                <tr key={`${event.recorded_at} ${event.source} ${event.raw_status}`}>
                  <td>{event.when === null ? '–' : show(event.when)}</td>
                  <td>
                    {event.status === null ? t('voter.event.unknown') : statusName(event.status)}
                    {event.is_withdrawn && (
                      <span className="badge">{t('voter.event.withdrawn')}</span>
                    )}
                  </td>
                  <td>{t(`voter.event.kind.${event.kind}`)}</td>
                  <td>
                    {event.raw_status || '–'}{' '}
                    {event.reason && <span className="soft">{event.reason}</span>}
                  </td>
                  <td>{event.source || '–'}</td>
                  <td>{formatInstant(event.recorded_at, session)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}
