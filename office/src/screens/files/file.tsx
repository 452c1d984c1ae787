import type { FileAnswer } from '@ballot-beacon/contract/office/files';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Loaded } from '../../shell/loaded.tsx';
import { useSession } from '../../shell/session.tsx';
import { formatInstant, formatNumber, statusName, t, type WordKey } from '../../words/index.ts';
import { Decisions } from './decisions.tsx';
import { StateBadge } from './index.tsx';

const followMs = 3_000;

/** One imported file: what it did or would do, why it waits, who decided what, and the decision. */
export function FileScreen({ importId }: { importId: number }) {
  const { act } = useSession();
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
            {data.ended_because && <p className="notice notice-bad">{data.ended_because}</p>}
            <div className="panels">
              <Reasons file={data} />
              <Counts file={data} />
              <Rows file={data} />
              <Refusals file={data} />
              <Notes file={data} />
              <History file={data} />
            </div>
            <Decisions file={data} />
          </>
        )}
      </Loaded>
    </>
  );
}

const isWaiting = ({ state }: FileAnswer) => state === 'file-held' || state === 'messages-held';

function Reasons({ file }: { file: FileAnswer }) {
  if (file.reasons.length === 0) return null;
  return (
    <section className="panel panel-wide card">
      <h2>{t(isWaiting(file) ? 'file.why' : 'file.whyWaited')}</h2>
      {file.reasons.map(({ detail, examples }) => (
        <div key={detail}>
          <p>{detail}</p>
          {examples.length > 0 && (
            <div className="scroll">
              <table className="table">
                <thead>
                  <tr>
                    <th scope="col">{t('file.example.voter')}</th>
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
            </div>
          )}
        </div>
      ))}
    </section>
  );
}

function Counts({ file }: { file: FileAnswer }) {
  if (file.counts.length === 0) return null;
  const after = file.state === 'file-held' ? 'file.counts.ifApproved' : 'file.counts.after';
  return (
    <section className="panel card">
      <h2>{t('file.counts')}</h2>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('file.counts.name')}</th>
            <th scope="col" className="number">
              {t('file.counts.before')}
            </th>
            <th scope="col" className="number">
              {t(after)}
            </th>
            <th scope="col" className="number">
              {t('file.counts.change')}
            </th>
          </tr>
        </thead>
        <tbody>
          {file.counts.map((count) => (
            <tr key={count.name}>
              <th scope="row">{countName(count.name)}</th>
              <td className="number">{formatNumber(count.before)}</td>
              <td className="number">{formatNumber(count.after)}</td>
              <td className="number">{formatChange(count.after - count.before)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A status is counted by election: `217 sent`. */
function countName(name: string): string {
  return name.replace(/\S+$/, statusName);
}

function formatChange(change: number): string {
  if (change === 0) return '0';
  return `${change > 0 ? '+' : '−'}${formatNumber(Math.abs(change))}`;
}

function Rows({ file: { rows } }: { file: FileAnswer }) {
  const kinds = [
    ['file.rows.added', rows.added],
    ['file.rows.changed', rows.changed],
    ['file.rows.unchanged', rows.unchanged],
    ['file.rows.refused', rows.refused],
    ['file.rows.passedOver', rows.passed_over],
  ] as const satisfies readonly (readonly [WordKey, number])[];
  return (
    <section className="panel card">
      <h2>{t('file.rows')}</h2>
      <table className="table">
        <tbody>
          {kinds.map(([key, count]) => (
            <tr key={key}>
              <th scope="row">{t(key)}</th>
              <td className="number">{formatNumber(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Refusals({ file: { refusals } }: { file: FileAnswer }) {
  if (refusals.length === 0) return null;
  return (
    <section className="panel panel-wide card">
      <h2>{t('file.refusals')}</h2>
      <div className="scroll">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t('file.refusals.reason')}</th>
              <th scope="col" className="number">
                {t('table.count')}
              </th>
              <th scope="col" className="number">
                {t('file.refusals.line')}
              </th>
            </tr>
          </thead>
          <tbody>
            {refusals.map(({ reason, count, line }) => (
              <tr key={reason}>
                <td>{reason}</td>
                <td className="number">{formatNumber(count)}</td>
                <td className="number">{formatNumber(line)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Notes({ file }: { file: FileAnswer }) {
  const notes = [
    ...file.unknown_statuses.map(({ value, count }) =>
      t('file.unknownStatus', { value, count: formatNumber(count) }),
    ),
    ...file.warnings.map(({ message, count }) => `${message} (${formatNumber(count)})`),
    ...(file.unknown_columns.length > 0
      ? [t('file.unknownColumns', { columns: file.unknown_columns.join(', ') })]
      : []),
  ];
  if (notes.length === 0) return null;
  return (
    <section className="panel panel-wide card">
      <h2>{t('file.notes')}</h2>
      <ul className="todo">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
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
