import { officeCalls } from '@ballot-beacon/contract/office/calls';
import {
  type ReportAnswer,
  type ReportName,
  ReportQuery,
  reportNames,
} from '@ballot-beacon/contract/office/reports';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useAddressFilter } from '../../shell/address-filter.ts';
import { Choice } from '../../shell/choice.tsx';
import { FilterFields } from '../../shell/list.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useSession } from '../../shell/session.tsx';
import { SortedTable } from '../../shell/sorted-table.tsx';
import {
  formatDate,
  formatNumber,
  languageName,
  nameOf,
  statusName,
  t,
} from '../../words/index.ts';
import { Chart } from './chart.tsx';

/** Counts by day, as tables and a picture. The report, its election and its days are in the address. */
export function ReportsScreen() {
  const { act } = useSession();
  const filter = useAddressFilter('/reports');
  const report = reportNames.find((one) => one === filter.valueOf('report')) ?? 'status';
  const { data: query } = ReportQuery.safeParse({ ...filter.query, report });
  // An address that somebody mistyped shows the report without a filter.
  const search: Readonly<Record<string, string>> = query ? { ...filter.query, report } : { report };
  const table = useQuery({
    queryKey: ['report', search],
    queryFn: () => act('getReport', { query: query ?? { report } }),
    placeholderData: keepPreviousData,
  });
  const elections = table.data?.elections ?? [];
  const election = elections.find(({ number }) => number === search.election);
  return (
    <>
      <h1>{t('reports.title')}</h1>
      <p className="help">{t('reports.help')}</p>
      <Choice
        id="report"
        label={t('reports.report')}
        value={report}
        options={reportNames.map((one) => ({ value: one, name: t(`reports.report.${one}`) }))}
        onChange={(value) => filter.change('report', value)}
      />
      <FilterFields
        filter={filter}
        menus={[
          {
            name: 'election',
            label: t('reports.election'),
            all: t('reports.election.all'),
            options: elections.map(({ number, name }) => ({ value: number, name })),
          },
        ]}
      >
        {/* A link, so that the browser saves the file as it comes. */}
        <a href={`${officeCalls.downloadReport.path}?${new URLSearchParams(search)}`} download>
          {t('reports.download')}
        </a>
      </FilterFields>
      <Loaded query={table}>
        {(answer) =>
          answer.count === 0 ? (
            <p role="status">{t('reports.none')}</p>
          ) : (
            <>
              {report === 'status' && <Chart filter={search} election={election?.name} />}
              <Table report={report} answer={answer} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

type Row = ReportAnswer['rows'][number];

function Table({ report, answer }: { report: ReportName; answer: ReportAnswer }) {
  const { columns, rows, count } = answer;
  const isWhole = count === rows.length;
  const isNumber = (index: number) => typeof rows[0]?.[index] === 'number';
  return (
    <section aria-label={t(`reports.report.${report}`)}>
      <p role="status">
        {t('reports.rows', { count })}
        {!isWhole && ` ${t('reports.first', { shown: rows.length })}`}
      </p>
      <SortedTable
        label={t(`reports.report.${report}`)}
        path="/reports"
        className="scroll card"
        rows={rows}
        keyOf={(row) => JSON.stringify(row)}
        columns={columns.map((column, index) => ({
          id: column,
          name: nameOf('reports.column', column),
          isNumber: isNumber(index),
          // Of a part of the rows, the order would say nothing about the whole.
          ...(isWhole && { sortKey: (row: Row) => sortKeyOf(column, row[index] ?? '') }),
          cell: (row: Row) => showCell(column, row[index] ?? ''),
        }))}
      />
    </section>
  );
}

/** Days are sorted as days, and what is shown in words by those words. */
function sortKeyOf(column: string, value: string | number): string | number | null {
  if (value === '') return null;
  return typeof value === 'number' || column === 'day' ? value : showCell(column, value);
}

/** A cell in a clerk's words, where the table has a code of the server. */
function showCell(column: string, value: string | number): string {
  if (typeof value === 'number') return formatNumber(value);
  if (value === '') return '–';
  if (column === 'day') return formatDate(value);
  if (column === 'status') return statusName(value);
  if (column === 'language') return languageName(value);
  if (column === 'kind') return nameOf('message.kind', value);
  if (column === 'state') return nameOf('message.state', value);
  if (column === 'channel') return nameOf('channel', value);
  if (column === 'defect') return nameOf('fixes.defect', value);
  return value;
}
