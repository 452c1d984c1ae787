import { defects } from '@ballot-beacon/contract/ballot-status-progress';
import { type FixReport, fixGroups } from '@ballot-beacon/contract/office/fixes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Choice } from '../../shell/choice.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useSession } from '../../shell/session.tsx';
import { formatDate, formatNumber, t } from '../../words/index.ts';

type Group = (typeof fixGroups)[number];

const measures = ['found', 'notified', 'opened', 'fixed', 'expired'] as const;

/** What became of envelopes to fix, in counts. */
export function FixReportPanel() {
  const { act } = useSession();
  const [by, setBy] = useState<Group>('day');
  const report = useQuery({
    queryKey: ['fix-report', by],
    queryFn: () => act('getFixReport', { query: { by } }),
    placeholderData: keepPreviousData,
  });
  return (
    <section className="panel card" aria-labelledby="fix-report">
      <h2 id="fix-report">{t('fixes.report')}</h2>
      <p className="help">{t('fixes.report.help')}</p>
      <Choice
        id="by"
        label={t('fixes.report.by')}
        value={by}
        options={fixGroups.map((one) => ({ value: one, name: t(`fixes.report.by.${one}`) }))}
        onChange={(value) => setBy(fixGroups.find((one) => one === value) ?? 'day')}
      />
      <Loaded query={report}>{({ rows }) => <Counts by={by} rows={rows} />}</Loaded>
    </section>
  );
}

function Counts({ by, rows }: { by: Group; rows: FixReport['rows'] }) {
  if (rows.length === 0) return <p>{t('fixes.report.none')}</p>;
  return (
    <div className="scroll">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t(`fixes.report.by.${by}`)}</th>
            {measures.map((measure) => (
              <th key={measure} scope="col" className="number">
                {t(`fixes.report.${measure}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.group}>
              <th scope="row">{nameOf(by, row.group)}</th>
              {measures.map((measure) => (
                <td key={measure} className="number">
                  {formatNumber(row[measure])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function nameOf(by: Group, group: string): string {
  const defect = defects.find((one) => one === group);
  if (by === 'defect' && defect) return t(`fixes.defect.${defect}`);
  // While another grouping loads, the last one's rows are still shown.
  if (by === 'day' && /^\d{4}-\d{2}-\d{2}$/.test(group)) return formatDate(group);
  return group || '–';
}
