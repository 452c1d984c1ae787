import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useAddressFilter } from '../../shell/address-filter.ts';
import { Loaded } from '../../shell/loaded.tsx';
import { Pager } from '../../shell/pager.tsx';
import { useSession } from '../../shell/session.tsx';
import { formatInstant, formatNumber, t } from '../../words/index.ts';
import { FeedAges } from './feed-ages.tsx';
import { StateBadge } from './state-badge.tsx';
import { Uploads } from './uploads.tsx';

/** Every imported file, newest first; the page is in the address. */
export function FilesScreen() {
  const { session, act } = useSession();
  const filter = useAddressFilter('/files');
  const before = Number(filter.valueOf('before')) || undefined;
  const files = useQuery({
    queryKey: ['files', before],
    queryFn: () => act('listFiles', { query: { before } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <h1>{t('files.title')}</h1>
      <p className="help">{t('files.help')}</p>
      {session.permissions.includes('import') && before === undefined && <Uploads />}
      {before === undefined && <FeedAges />}
      <h2>{t('files.history')}</h2>
      <Loaded query={files}>
        {({ files: shown, next }) =>
          shown.length === 0 ? (
            <p>{t('files.empty')}</p>
          ) : (
            <>
              <div className="scroll card">
                <table className="table">
                  <thead>
                    <tr>
                      <th scope="col">{t('files.file')}</th>
                      <th scope="col">{t('files.state')}</th>
                      <th scope="col">{t('files.when')}</th>
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
              </div>
              <Pager filter={filter} next={next} />
            </>
          )
        }
      </Loaded>
    </>
  );
}
