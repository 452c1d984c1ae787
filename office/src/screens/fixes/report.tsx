import { defects } from '@ballot-beacon/contract/ballot-status-progress';
import { type FixReport, fixGroups } from '@ballot-beacon/contract/office/fixes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useAddressFilter } from '../../shell/address-filter.ts';
import { Choice } from '../../shell/choice.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useSession } from '../../shell/session.tsx';
import { SortedTable } from '../../shell/sorted-table.tsx';
import { formatDate, formatNumber, t } from '../../words/index.ts';

type Group = (typeof fixGroups)[number];

type Counted = FixReport['rows'][number];

const measures = ['found', 'notified', 'opened', 'fixed', 'expired'] as const;

/** What became of envelopes to fix, in counts. */
export function FixReportPanel() {
  const { act } = useSession();
  const filter = useAddressFilter('/fixes');
  const by = fixGroups.find((one) => one === filter.valueOf('by')) ?? 'day';
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
        onChange={(value) => filter.change('by', value)}
      />
      <Loaded query={report}>{({ rows }) => <Counts by={by} rows={rows} />}</Loaded>
    </section>
  );
}

function Counts({ by, rows }: { by: Group; rows: FixReport['rows'] }) {
  if (rows.length === 0) return <p>{t('fixes.report.none')}</p>;
  return (
    <SortedTable
      label={t('fixes.report')}
      path="/fixes"
      sortName="counts"
      rows={rows}
      keyOf={({ group }) => group}
      columns={[
        {
          id: 'group',
          name: t(`fixes.report.by.${by}`),
          isRowHeader: true,
          sortKey: ({ group }) => (by === 'day' ? group : nameOf(by, group)),
          cell: ({ group }) => nameOf(by, group),
        },
        ...measures.map((measure) => ({
          id: measure,
          name: t(`fixes.report.${measure}`),
          isNumber: true,
          sortKey: (row: Counted) => row[measure],
          cell: (row: Counted) => formatNumber(row[measure]),
        })),
      ]}
    />
  );
}

function nameOf(by: Group, group: string): string {
  const defect = defects.find((one) => one === group);
  if (by === 'defect' && defect) return t(`fixes.defect.${defect}`);
  // While another grouping loads, the last one's rows are still shown.
  if (by === 'day' && /^\d{4}-\d{2}-\d{2}$/.test(group)) return formatDate(group);
  return group || '–';
}
