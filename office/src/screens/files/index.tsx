import { FilesQuery } from '@ballot-beacon/contract/office/files';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useAddressFilter } from '../../shell/address-filter.ts';
import { useAddressOrder } from '../../shell/address-sort.ts';
import { Loaded } from '../../shell/loaded.tsx';
import { Pager } from '../../shell/pager.tsx';
import { Scroll } from '../../shell/scroll.tsx';
import { useSession } from '../../shell/session.tsx';
import { SortHeader } from '../../shell/sort-header.tsx';
import { formatInstant, formatNumber, t } from '../../words/index.ts';
import { FeedAges } from './feed-ages.tsx';
import { StateBadge } from './state-badge.tsx';
import { Uploads } from './uploads.tsx';

/** Every imported file, newest first; the page is in the address. */
export function FilesScreen() {
  const { session, act } = useSession();
  const filter = useAddressFilter('/files');
  const order = useAddressOrder(filter);
  const { data: page = {} } = FilesQuery.safeParse(filter.query);
  const isFirst = page.before === undefined && page.after === undefined;
  const files = useQuery({
    queryKey: ['files', page],
    queryFn: () => act('listFiles', { query: page }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <h1>{t('files.title')}</h1>
      <p className="help">{t('files.help')}</p>
      {session.permissions.includes('import') && isFirst && <Uploads />}
      {isFirst && <FeedAges />}
      <h2>{t('files.history')}</h2>
      <Loaded query={files}>
        {({ files: shown, next }) =>
          shown.length === 0 ? (
            <p>{t('files.empty')}</p>
          ) : (
            <>
              <Scroll label={t('files.history')} className="scroll card">
                <table className="table">
                  <thead>
                    <tr>
                      <th scope="col">{t('files.file')}</th>
                      <th scope="col">{t('files.state')}</th>
                      <SortHeader
                        name={t('files.when')}
                        direction={order.direction}
                        onSort={order.turn}
                      />
                      <th scope="col">{t('files.by')}</th>
                      <th scope="col" className="number">
                        {t('files.read')}
                      </th>
                      <th scope="col" className="number">
                        {t('files.refused')}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {shown.map((file) => (
                      <tr key={file.import_id}>
                        <th scope="row">
                          <Link href={`/files/${file.import_id}`}>{file.file_name}</Link>
                          <span className="soft"> {file.format}</span>
                        </th>
                        <td>
                          <StateBadge state={file.state} />
                        </td>
                        <td>{formatInstant(file.finished_at, session)}</td>
                        <td>{file.imported_by}</td>
                        <td className="number">{formatNumber(file.rows_read)}</td>
                        <td className="number">{formatNumber(file.rows_refused)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
              <Pager filter={filter} next={next} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
