import type { Today } from '@ballot-beacon/contract/office/today';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { FeedTable } from '../../shell/feed-table.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useSession } from '../../shell/session.tsx';
import { formatDate, formatInstant, formatNumber, nameOf, t } from '../../words/index.ts';
import { Ballots, Fixes, Messages, SignIns } from './figures.tsx';

const refreshMs = 60_000;

/** What needs a person now, and how things stand. */
export function TodayScreen() {
  const { act } = useSession();
  const today = useQuery({
    queryKey: ['today'],
    queryFn: () => act('getToday', {}),
    refetchInterval: refreshMs,
  });
  return (
    <>
      <h1>{t('today.title')}</h1>
      <p className="help">{t('today.help')}</p>
      <Loaded query={today}>
        {(data) => (
          <div className="panels">
            <Attention today={data} />
            <Fixes fixes={data.fixes} />
            <StoppedMail stopped={data.stopped} />
            <Ballots elections={data.elections} />
            <Messages today={data} />
            <SignIns signIns={data.sign_ins} />
            <Feeds feeds={data.feeds} />
          </div>
        )}
      </Loaded>
    </>
  );
}

function Attention({
  today: { waiting, attacks, trouble, feeds, fixes, stopped },
}: {
  today: Today;
}) {
  const { session } = useSession();
  const seesFiles = session.permissions.includes('files');
  const lead = (text: string) => (seesFiles ? <Link href="/files">{text}</Link> : text);
  const mayDecide = session.permissions.includes('settings');
  const requests = t('today.requestsWaiting', { count: waiting.requests });
  const late = feeds.filter((feed) => feed.is_late);
  const toFix = fixes.within_day + fixes.need_letter + (fixes.is_feed_late ? 1 : 0);
  const undecided = waiting.files + waiting.messages + waiting.uploads + waiting.requests;
  const alarms = attacks.length + trouble.length + late.length + stopped.length;
  const isQuiet = undecided + toFix + alarms === 0;
  return (
    <section className="panel card panel-wide" aria-labelledby="attention">
      <h2 id="attention">{t('today.attention')}</h2>
      {isQuiet && <p>{t('today.nothing')}</p>}
      <ul className="todo">
        {attacks.map(({ kind, last_at: last }) => (
          <li key={kind}>{t(`today.attack.${kind}`, { last: formatInstant(last, session) })}</li>
        ))}
        {trouble.map((channel) => (
          <li key={channel}>{t('today.trouble', { channel: nameOf('channel', channel) })}</li>
        ))}
        {waiting.requests > 0 && (
          <li>
            {mayDecide ? (
              <Link href="/misuse">{requests}</Link>
            ) : (
              `${requests} ${t('today.requestsWaiting.ask')}`
            )}
          </li>
        )}
        {waiting.uploads > 0 && (
          <li>{lead(t('today.uploadsWaiting', { count: waiting.uploads }))}</li>
        )}
        {waiting.files > 0 && <li>{lead(t('today.filesWaiting', { count: waiting.files }))}</li>}
        {waiting.messages > 0 && (
          <li>{lead(t('today.messagesWaiting', { count: waiting.messages }))}</li>
        )}
        {fixes.within_day > 0 && (
          <li>
            <Link href="/fixes">{t('today.fixes.urgent', { count: fixes.within_day })}</Link>
          </li>
        )}
        {fixes.need_letter > 0 && (
          <li>
            <Link href="/fixes">{t('today.fixes.letters', { count: fixes.need_letter })}</Link>
          </li>
        )}
        {fixes.is_feed_late && <li>{t('today.fixes.wait')}</li>}
        {stopped.map(({ facility, day, envelopes: count }) => (
          <li key={`${day} ${facility}`}>
            {facility === ''
              ? t('today.stopped.many', { count, day: formatDate(day) })
              : t('today.stopped.place', { count, facility, day: formatDate(day) })}
          </li>
        ))}
        {late.map(({ format, last_at: last }) => (
          <li key={format}>
            {last
              ? t('today.feedLate', { format, last: formatInstant(last, session) })
              : t('today.feedNever', { format })}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** For the office's contact at USPS: where envelopes were seen last, and which addresses they go to. */
function StoppedMail({ stopped }: { stopped: Today['stopped'] }) {
  if (stopped.length === 0) return null;
  return (
    <section className="panel card panel-wide">
      <h2>{t('today.stopped')}</h2>
      <p>{t('today.stopped.do')}</p>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('today.stopped.facility')}</th>
            <th scope="col">{t('today.stopped.day')}</th>
            <th scope="col" className="number">
              {t('table.count')}
            </th>
            <th scope="col">{t('today.stopped.zips')}</th>
          </tr>
        </thead>
        <tbody>
          {stopped.map(({ facility, day, envelopes, zips }) => (
            <tr key={`${day} ${facility}`}>
              <td>{facility || t('today.stopped.places')}</td>
              <td>{formatDate(day)}</td>
              <td className="number">{formatNumber(envelopes)}</td>
              <td>{zips.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Feeds({ feeds }: { feeds: Today['feeds'] }) {
  return (
    <section className="panel panel-wide card">
      <h2>{t('today.feeds')}</h2>
      {feeds.length === 0 ? <p>{t('today.feeds.none')}</p> : <FeedTable feeds={feeds} />}
    </section>
  );
}
