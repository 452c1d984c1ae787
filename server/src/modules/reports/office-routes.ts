import { Readable } from 'node:stream';
import type { ChartQuery, ReportQuery } from '@ballot-beacon/contract/office/reports';
import { attachAs } from '../../platform/attach.ts';
import type { Db } from '../../platform/postgres.ts';
import { problem, refuseField } from '../../platform/problem.ts';
import { type Account, findElection, listElections } from '../accounts/index.ts';
import type { OfficeApi } from '../people/index.ts';
import { type Catalog, layOver } from '../texts/index.ts';
import type { ChartFacts } from './chart.ts';
import { drawChart } from './chart-page.ts';
import { drawChartPdf } from './chart-pdf.ts';
import { drawChartPng } from './chart-png.ts';
import { utf8Mark, writeCsv } from './csv.ts';
import { mostDays } from './rules.ts';
import { type ReportSubject, readChartFacts, refusePeriod, reportTables } from './tables.ts';

/** Further rows are in the file. */
const mostShown = 200;

interface Visit {
  readonly db: Db;
  readonly account: Account;
  readonly now: Date;
}

/** The reports of `beacon report`, for everybody who may see counts. */
export function registerReportRoutes(api: OfficeApi, { catalog }: { catalog: Catalog }): void {
  const texts = layOver(catalog, []);

  api.answer('getReport', async (visit, { query }) => {
    const subject = await readSubject(visit, query);
    const { columns, rows } = await reportTables[query.report](subject);
    return {
      elections: subject.all.map(({ number, name }) => ({ number, name })),
      columns: [...columns],
      rows: rows.slice(0, mostShown).map((row) => columns.map((column) => row[column] ?? '')),
      count: rows.length,
    };
  });

  api.answer('downloadReport', async (visit, { query, reply }) => {
    const { columns, rows } = await reportTables[query.report](await readSubject(visit, query));
    attachAs(reply, `${query.report}.csv`);
    return Readable.from([utf8Mark, writeCsv(columns, rows)]);
  });

  const readFacts = async (visit: Visit, query: ChartQuery): Promise<ChartFacts> => {
    const subject = await readSubject(visit, query);
    const facts = subject.election && (await readChartFacts(subject, subject.election, texts));
    if (facts) return facts;
    throw problem(404, 'This election has no ballots on these days.');
  };
  api.answer('downloadChart', async (visit, { query, reply }) => {
    const picture = drawChart(await readFacts(visit, query));
    attachAs(reply, 'chart.svg');
    return Readable.from([picture]);
  });
  api.answer('downloadChartPng', async (visit, { query, reply }) => {
    const picture = await drawChartPng(await readFacts(visit, query));
    attachAs(reply, 'chart.png');
    return Readable.from([picture]);
  });
  api.answer('downloadChartPdf', async (visit, { query, reply }) => {
    const page = await drawChartPdf(await readFacts(visit, query));
    attachAs(reply, 'chart.pdf');
    return Readable.from([page]);
  });
}

async function readSubject(
  { db, account, now }: Visit,
  query: Pick<ReportQuery, 'election' | 'from' | 'to'>,
): Promise<ReportSubject> {
  const period = { from: query.from ?? null, to: query.to ?? null };
  const wrong = refusePeriod(period, account, now);
  if (wrong) {
    const text =
      wrong === 'reversed'
        ? 'The first day is after the last.'
        : `Choose at most ${mostDays} days.`;
    throw refuseField('from', text, wrong);
  }
  const all = await listElections(db, account.accountId);
  const { election: number } = query;
  const election = number === undefined ? undefined : findElection(all, number);
  if (number !== undefined && !election) throw problem(404, 'This election is not there any more.');
  return { db, account, now, ...period, all, election };
}
