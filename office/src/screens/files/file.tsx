import type { FileAnswer } from '@ballot-beacon/contract/office/files';
import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Finish } from '../../shell/finish.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { Scroll } from '../../shell/scroll.tsx';
import { useSession } from '../../shell/session.tsx';
import { formatInstant, formatNumber, t } from '../../words/index.ts';
import { Decisions } from './decisions.tsx';
import { Counts, Notes, Refusals, Rows } from './report-panels.tsx';
import { StateBadge } from './state-badge.tsx';

const followMs = 3_000;

/** One imported file: what it did or would do, why it waits, who decided what, and the decision. */
export function FileScreen({ importId }: { importId: number }) {
  const { session, act } = useSession();
  const file = useQuery({
    queryKey: ['file', importId],
    queryFn: () => act('getFile', { params: { import_id: importId } }),
    refetchInterval: ({ state }) => (state.data?.is_loading ? followMs : false),
  });
  return (
    <>
      <p>
        <Link href="/files">← {t('files.title')}</Link>
      </p>
      <Loaded query={file}>
        {(data) => (
          <>
            <h1>{data.file_name}</h1>
            <p className="help">
              <StateBadge state={data.state} /> {t(`file.explain.${data.state}`)}
            </p>
            {data.is_loading && (
              <p className="notice" role="status">
                {t('file.loading')}
              </p>
            )}
            {data.finish && !isWaiting(data) && (
              <p className="notice">
                <Finish finish={data.finish} />
              </p>
            )}
            {data.ended_because && <p className="notice notice-bad">{data.ended_because}</p>}
            <div className="panels">
              <Reasons file={data} />
              <Counts
                report={data}
                after={data.state === 'file-held' ? 'file.counts.ifApproved' : 'file.counts.after'}
              />
              <Rows rows={data.rows} />
              <Refusals refusals={data.refusals} download={downloadOf(data, session)} />
              <Notes report={data} />
              <History file={data} />
            </div>
            <Decisions file={data} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** Where the refused rows of the file can be downloaded, for those who may see them. */
function downloadOf(
  { import_id: id, has_rejects: hasRejects }: FileAnswer,
  { permissions }: OfficeSession,
): string | undefined {
  return hasRejects && permissions.includes('import')
    ? `/api/office/files/${id}/rejects`
    : undefined;
}

const isWaiting = ({ state }: FileAnswer) => state === 'file-held' || state === 'messages-held';

function nameReasons(file: FileAnswer): string {
  if (file.state === 'refused') return t('file.whyRefused');
  return t(isWaiting(file) ? 'file.why' : 'file.whyWaited');
}

function Reasons({ file }: { file: FileAnswer }) {
  if (file.reasons.length === 0) return null;
  return (
    <section className="panel panel-wide card">
      <h2>{nameReasons(file)}</h2>
      {file.reasons.map(({ detail, examples }) => (
        <div key={detail}>
          <p>{detail}</p>
          {examples.length > 0 && (
            <Scroll label={detail}>
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">
                      {t(file.holds === 'scans' ? 'file.example.barcode' : 'file.example.voter')}
                    </th>
                    <th scope="col">{t('file.example.from')}</th>
                    <th scope="col">{t('file.example.to')}</th>
                    <th scope="col" className="number">
                      {t('file.example.line')}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {examples.map(({ voter, from, to, line }) => (
                    <tr key={`${voter} ${line}`}>
                      <th scope="row">{voter}</th>
                      <td>{from}</td>
                      <td>{to}</td>
                      <td className="number">{line === null ? '–' : formatNumber(line)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          )}
        </div>
      ))}
    </section>
  );
}

function History({ file }: { file: FileAnswer }) {
  const { session } = useSession();
  return (
    <section className="panel panel-wide card">
      <h2>{t('file.history')}</h2>
      <ul className="todo">
        {file.history.map(({ at, who, what, reason }) => (
          <li key={`${at} ${what}`}>
            <span className="soft">{formatInstant(at, session)}</span> {who}:{' '}
            {t(`file.history.${what}`)}
            {reason && <blockquote>{reason}</blockquote>}
          </li>
        ))}
      </ul>
    </section>
  );
}
