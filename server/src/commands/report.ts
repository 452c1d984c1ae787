import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Account, type Election, listElections } from '../modules/accounts/index.ts';
import { countFixDays, fixMeasures, readFixQueue } from '../modules/fix-queue/index.ts';
import {
  type ChartFacts,
  countDays,
  countStatusDays,
  drawChart,
  drawChartPage,
  drawChartPdf,
  drawChartPng,
  mostDays,
  type Period,
  readAlikeBallots,
  readMessages,
  readRegistrations,
  type StatusDay,
  writeCsv,
} from '../modules/reports/index.ts';
import { layOver, readCatalog } from '../modules/texts/index.ts';
import { localDay } from '../platform/clock.ts';
import type { Database, Db } from '../platform/postgres.ts';
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

interface Subject extends Period {
  readonly db: Db;
  readonly account: Account;
  /** The requested days, oldest first. */
  readonly elections: readonly Election[];
  readonly election: Election | undefined;
  readonly timeZone: string;
  readonly electionId: number | null;
  readonly today: string;
  readonly now: Date;
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

  const table = (
    name: string,
    description: string,
    write: (subject: Subject) => Promise<string>,
  ): void => {
    withPeriod(report.command(name).description(description))
      .addOption(new Option('--format <format>', 'of the table').choices(['csv']).default('csv'))
      .option('--out <file>', 'write to this file instead of standard output')
      .action((options: ReportOptions) =>
        context.withDatabase(async (database) => {
          const text = await write(await readSubject(context, database, options));
          if (options.out === undefined) context.writeOutput(text);
          else await save(context, options.out, text);
        }),
      );
  };
  table(
    'status',
    'ballots that entered each status on each day, and that were in it at the end of the day',
    async (subject) => {
      const rows = [];
      for (const election of subject.elections) {
        for (const { day, status, entered, total } of await readStatusDays(subject, election)) {
          const { number, name } = election;
          rows.push({ election: number, election_name: name, day, status, entered, total });
        }
      }
      return writeCsv(['election', 'election_name', 'day', 'status', 'entered', 'total'], rows);
    },
  );
  table(
    'registrations',
    'consents requested, confirmed and withdrawn by day, language and channel',
    async (subject) =>
      writeCsv(
        ['day', 'language', 'channel', 'asked', 'confirmed', 'withdrawn'],
        await readRegistrations(subject.db, subject),
      ),
  );
  table(
    'messages',
    'messages by creation day, election, kind, status, language, channel and outcome',
    async (subject) =>
      writeCsv(
        ['day', 'election', 'kind', 'status', 'language', 'channel', 'state', 'messages'],
        await readMessages(subject.db, subject),
      ),
  );
  table(
    'fixes',
    'envelopes to fix by day, election, defect, language and precinct: found, voters notified, links opened, fixed, expired',
    async ({ db, account, electionId, now, from, to, timeZone }) => {
      const fixes = await readFixQueue(db, account, { electionId, isOpen: false }, now);
      return writeCsv(
        ['day', 'election', 'defect', 'language', 'precinct', ...fixMeasures],
        countFixDays(fixes, { dayOf: (at) => localDay(at, timeZone), from, to }),
      );
    },
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
        const { election, account } = subject;
        if (!election)
          throw new CommandError(
            'A chart shows one election: add --election NUMBER.',
            exitCodes.usage,
          );
        const days = await readStatusDays(subject, election);
        if (days.length === 0) {
          throw new CommandError(`Election ${election.number} has no ballots on these days.`);
        }
        const t = layOver(readCatalog(locales), []).translator('english');
        const facts = {
          office: account.name,
          election: election.name,
          days,
          // The page speaks to the voter, who is to do something; a chart's readers are others.
          nameOf: (status: StatusDay['status']) =>
            status === 'rejected-curable'
              ? 'Signature problem (can be fixed)'
              : t(`status.${status}.name`),
        };
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
): Promise<Subject> {
  const { from = null, to = null } = options;
  const account = await requireAccount(database, options.account);
  const { timeZone } = account;
  const now = context.clock.now();
  const today = localDay(now, timeZone);
  if (from !== null && from > (to ?? today)) {
    throw new CommandError(`--from is after ${to === null ? 'today' : '--to'}.`, exitCodes.usage);
  }
  if (from !== null && countDays(from, to ?? today) > mostDays) {
    throw new CommandError(`A report covers at most ${mostDays} days.`, exitCodes.usage);
  }
  const all = await listElections(database.system, account.accountId);
  const election =
    options.election === undefined ? undefined : requireElection(all, options.election);
  return {
    db: database.forOffice(account.accountId),
    account,
    election,
    from,
    to,
    timeZone,
    elections: election ? [election] : all.toReversed(),
    electionId: election?.electionId ?? null,
    today,
    now,
  };
}

async function readStatusDays(subject: Subject, election: Election): Promise<StatusDay[]> {
  const { db, timeZone, today } = subject;
  const ballots = await readAlikeBallots(db, election.electionId, timeZone);
  return countStatusDays(ballots, subject, today);
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
