import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ReportName } from '@ballot-beacon/contract/office/reports';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { listElections } from '../modules/accounts/index.ts';
import {
  type ChartFacts,
  drawChart,
  drawChartPage,
  drawChartPdf,
  drawChartPng,
  mostDays,
  type ReportSubject,
  readChartFacts,
  refusePeriod,
  reportTables,
  writeCsv,
} from '../modules/reports/index.ts';
import { layOver, readCatalog } from '../modules/texts/index.ts';
import type { Database } from '../platform/postgres.ts';
import {
  type CommandContext,
  CommandError,
  exitCodes,
  requireAccount,
  requireElection,
} from './context.ts';
import { dateOption } from './dates.ts';

interface ReportOptions {
  readonly account: string;
  readonly election?: string;
  readonly from?: string;
  readonly to?: string;
  readonly out?: string;
}

/** By the ending of the file's name. */
const chartKinds: Readonly<
  Record<string, (facts: ChartFacts) => string | Buffer | Promise<Buffer>>
> = {
  '.svg': drawChart,
  '.png': drawChartPng,
  '.pdf': drawChartPdf,
  '.html': drawChartPage,
};

const locales = fileURLToPath(new URL('../../../locales', import.meta.url));

export function register(program: Command, context: CommandContext): void {
  const report = program
    .command('report')
    .description('counts without personal data: tables for a spreadsheet, and a chart');

  const table = (name: ReportName, description: string): void => {
    withPeriod(report.command(name).description(description))
      .addOption(new Option('--format <format>', 'of the table').choices(['csv']).default('csv'))
      .option('--out <file>', 'write to this file instead of standard output')
      .action((options: ReportOptions) =>
        context.withDatabase(async (database) => {
          const subject = await readSubject(context, database, options);
          const { columns, rows } = await reportTables[name](subject);
          const text = writeCsv(columns, rows);
          if (options.out === undefined) context.writeOutput(text);
          else await save(context, options.out, text);
        }),
      );
  };
  table(
    'status',
    'ballots that entered each status on each day, and that were in it at the end of the day',
  );
  table(
    'registrations',
    'consents requested, confirmed and withdrawn by day, language and channel',
  );
  table(
    'messages',
    'messages by creation day, election, kind, status, language, channel and outcome',
  );
  table(
    'fixes',
    'envelopes to fix by day, election, defect, language and precinct: found, voters notified, links opened, fixed, expired',
  );

  withPeriod(report.command('chart').description('draw an election’s ballots by status and day'))
    .addOption(
      new Option(
        '--out <file>',
        'a picture (.svg or .png), a printed page (.pdf), or a page that also has the figures as a table (.html)',
      )
        .makeOptionMandatory()
        .argParser(chartPath),
    )
    .action((options: ReportOptions & { out: string }) =>
      context.withDatabase(async (database) => {
        const subject = await readSubject(context, database, options);
        const { election } = subject;
        if (!election)
          throw new CommandError(
            'A chart shows one election: add --election NUMBER.',
            exitCodes.usage,
          );
        const facts = await readChartFacts(subject, election, layOver(readCatalog(locales), []));
        if (!facts)
          throw new CommandError(`Election ${election.number} has no ballots on these days.`);
        const draw = chartKinds[extname(options.out).toLowerCase()] ?? drawChartPage;
        await save(context, options.out, await draw(facts));
      }),
    );
}

function withPeriod(command: Command): Command {
  return command
    .requiredOption('--account <subdomain>', 'the account')
    .option('--election <number>', 'only this election')
    .option('--from <day>', 'the first day, such as 10/1/2026', dateOption)
    .option('--to <day>', 'the last day', dateOption);
}

async function readSubject(
  context: CommandContext,
  database: Database,
  options: ReportOptions,
): Promise<ReportSubject> {
  const { from = null, to = null } = options;
  const account = await requireAccount(database, options.account);
  const now = context.clock.now();
  const wrong = refusePeriod({ from, to }, account, now);
  if (wrong === 'reversed') {
    throw new CommandError(`--from is after ${to === null ? 'today' : '--to'}.`, exitCodes.usage);
  }
  if (wrong === 'too-long') {
    throw new CommandError(`A report covers at most ${mostDays} days.`, exitCodes.usage);
  }
  const all = await listElections(database.system, account.accountId);
  const election =
    options.election === undefined ? undefined : requireElection(all, options.election);
  return { db: database.forOffice(account.accountId), account, now, from, to, all, election };
}

async function save(
  context: CommandContext,
  path: string,
  content: string | Buffer,
): Promise<void> {
  await writeFile(path, content).catch((error: Error) => {
    throw new CommandError(`${path} cannot be written: ${error.message}`);
  });
  context.print(`Written to ${path}.`);
}

function chartPath(path: string): string {
  if (extname(path).toLowerCase() in chartKinds) return path;
  throw new InvalidArgumentError(`It must end in ${Object.keys(chartKinds).join(', ')}.`);
}
