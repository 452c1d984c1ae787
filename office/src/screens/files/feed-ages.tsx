import { useQuery } from '@tanstack/react-query';
import { FeedTable } from '../../shell/feed-table.tsx';
import { useSession } from '../../shell/session.tsx';
import { t } from '../../words/index.ts';

/** How old the newest file of each format is. Where it cannot be loaded, the page does without it. */
export function FeedAges() {
  const { act } = useSession();
  const today = useQuery({ queryKey: ['today'], queryFn: () => act('getToday', {}) });
  const feeds = today.data?.feeds ?? [];
  if (feeds.length === 0) return null;
  return (
    <section className="panel card" aria-labelledby="feeds">
      <h2 id="feeds">{t('today.feeds')}</h2>
      <FeedTable feeds={feeds} />
    </section>
  );
}
