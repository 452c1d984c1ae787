import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../shell/session.tsx';
import { formatInstant, t } from '../../words/index.ts';

/** How old the newest file of each format is. Where it cannot be loaded, the page does without it. */
export function FeedAges() {
  const { session, act } = useSession();
  const today = useQuery({ queryKey: ['today'], queryFn: () => act('getToday', {}) });
  const feeds = today.data?.feeds ?? [];
  if (feeds.length === 0) return null;
  return (
    <section className="panel card" aria-labelledby="feeds">
      <h2 id="feeds">{t('today.feeds')}</h2>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('table.format')}</th>
            <th scope="col">{t('table.lastFile')}</th>
            <th scope="col">{t('table.expected')}</th>
          </tr>
        </thead>
        <tbody>
          {feeds.map((feed) => (
            <tr key={feed.format}>
              <th scope="row">{feed.format}</th>
              <td>
                {feed.last_at ? formatInstant(feed.last_at, session) : t('table.never')}{' '}
                {feed.is_late && <span className="badge badge-bad">{t('table.late')}</span>}
              </td>
              <td>
                {feed.every_hours === null
                  ? '–'
                  : t('table.everyHours', { hours: feed.every_hours })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
