import type { Today } from '@ballot-beacon/contract/office/today';
import { formatInstant, t } from '../words/index.ts';
import { useSession } from './session.tsx';

/** How old the newest file of each format is. */
export function FeedTable({ feeds }: { feeds: Today['feeds'] }) {
  const { session } = useSession();
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{t('table.format')}</th>
          <th scope="col">{t('table.lastFile')}</th>
          <th scope="col">{t('table.expected')}</th>
        </tr>
      </thead>
      <tbody>
        {feeds.map(({ format, last_at: last, every_hours: hours, is_late: isLate }) => (
          <tr key={format}>
            <th scope="row">{format}</th>
            <td>
              {last ? formatInstant(last, session) : t('table.never')}{' '}
              {isLate && <strong className="badge badge-bad">{t('table.late')}</strong>}
            </td>
            <td>{hours === null ? '–' : t('table.everyHours', { count: hours })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
