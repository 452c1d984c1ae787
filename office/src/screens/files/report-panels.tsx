import type { FileAnswer } from '@ballot-beacon/contract/office/files';
import { Scroll } from '../../shell/scroll.tsx';
import { formatNumber, statusName, t, type WordKey } from '../../words/index.ts';

/** What an imported file and a checked one say alike. */
type Report = Pick<
  FileAnswer,
  'counts' | 'holds' | 'refusals' | 'rows' | 'unknown_columns' | 'unknown_statuses' | 'warnings'
>;

/** What is on record before and after; of scans, only the ballots whose status they change. */
export function Counts({
  report,
  after,
}: {
  report: Pick<Report, 'counts' | 'holds'>;
  after: WordKey;
}) {
  const { counts } = report;
  const isOfScans = report.holds === 'scans';
  if (counts.length === 0) return null;
  return (
    <section className="panel panel-wide card">
      <h2>{t('file.counts')}</h2>
      <Scroll label={t('file.counts')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t(isOfScans ? 'file.counts.moved' : 'file.counts.name')}</th>
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
            {counts.map((count) => (
              <tr key={count.name}>
                <th scope="row">{countName(count.name)}</th>
                <td className="number">{formatNumber(count.before)}</td>
                <td className="number">{formatNumber(count.after)}</td>
                <td className="number">{formatChange(count.after - count.before)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

/** A status is counted by election: `217 sent`. */
function countName(name: string): string {
  const [, election, status] = /^(.+) (\S+)$/.exec(name) ?? [];
  if (!election || !status) return statusName(name);
  return t('file.counts.ofElection', { election, status: statusName(status) });
}

function formatChange(change: number): string {
  if (change === 0) return '0';
  return `${change > 0 ? '+' : '−'}${formatNumber(Math.abs(change))}`;
}

/** How many rows did what; nothing of a file whose rows were never read. */
export function Rows({ rows }: Pick<Report, 'rows'>) {
  const kinds = [
    ['file.rows.added', rows.added],
    ['file.rows.changed', rows.changed],
    ['file.rows.unchanged', rows.unchanged],
    ['file.rows.refused', rows.refused],
    ['file.rows.passedOver', rows.passed_over],
  ] as const satisfies readonly (readonly [WordKey, number])[];
  if (kinds.every(([, count]) => count === 0)) return null;
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

export function Refusals({
  refusals,
  download,
}: Pick<Report, 'refusals'> & {
  /** Where all refused rows can be downloaded. */
  download?: string | undefined;
}) {
  if (refusals.length === 0) return null;
  return (
    <section className="panel panel-wide card">
      <h2>{t('file.refusals')}</h2>
      {download && (
        <p>
          <a href={download} download>
            {t('file.refusals.download')}
          </a>
        </p>
      )}
      <Scroll label={t('file.refusals')}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col" className="long">
                {t('file.refusals.reason')}
              </th>
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
      </Scroll>
    </section>
  );
}

export function Notes({
  report,
}: {
  report: Pick<Report, 'unknown_statuses' | 'warnings' | 'unknown_columns'>;
}) {
  const notes = [
    ...report.unknown_statuses.map(({ value, count }) => t('file.unknownStatus', { value, count })),
    ...report.warnings.map(({ message, count }) => `${message} (${formatNumber(count)})`),
    ...(report.unknown_columns.length > 0
      ? [t('file.unknownColumns', { columns: report.unknown_columns.join(', ') })]
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
