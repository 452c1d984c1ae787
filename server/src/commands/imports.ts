import type { Command } from 'commander';
import type { Account } from '../modules/accounts/index.ts';
import { describeAge, type Feed, isLate, readFeeds } from '../modules/feeds/index.ts';
import { listImports, listPushedDays } from '../modules/imports/index.ts';
import { formatDate } from '../platform/clock.ts';
import type { Db } from '../platform/postgres.ts';
import { type CommandContext, requireAccount } from './context.ts';
import { formatInstant } from './dates.ts';
import { countOption } from './words.ts';

interface ListOptions {
  readonly account: string;
  readonly limit: number;
  readonly feeds?: true;
  readonly pushes?: true;
  readonly json?: true;
}

export function register(program: Command, context: CommandContext): void {
  program
    .command('imports')
    .description('list the imported and refused files, newest first')
    .requiredOption('--account <subdomain>', 'the account')
    .option('--limit <number>', 'how many', countOption, 50)
    .option(
      '--feeds',
      'only the feeds: the last file of each, when the next is expected, and which are late',
    )
    .option('--pushes', 'list each push from USPS, instead of one line per day')
    .option('--json', 'as one JSON document, with every report')
    .action((options: ListOptions) =>
      context.withDatabase(async (database) => {
        const account = await requireAccount(database, options.account);
        const { accountId } = account;
        const now = context.clock.now();
        const feeds = await readFeeds(database.system, account);
        if (options.feeds) {
          if (options.json) return context.printJson(feeds.map((feed) => feedToJson(feed, now)));
          if (feeds.length === 0) context.print('No files imported yet, and none expected.');
          for (const feed of feeds) context.print(describeFeed(feed, account, now));
          return;
        }
        if (options.json) {
          const all = await listImports(database.system, accountId, options.limit);
          context.printJson(all.map(toJson));
          return;
        }
        for (const feed of feeds) context.print(describeFeed(feed, account, now));
        if (feeds.length > 0) context.print('');
        const lines = await listLines(database.system, account, options);
        if (lines.length === 0) context.print('No files imported yet.');
        for (const line of lines) context.print(line);
      }),
    );
}

/** Newest first. Pushes are one line per day, because their number would hide the files that a clerk looks for. */
async function listLines(
  db: Db,
  { accountId, timeZone }: Account,
  { limit, pushes }: ListOptions,
): Promise<string[]> {
  const imports = await listImports(db, accountId, limit, !pushes);
  const days = pushes ? [] : await listPushedDays(db, accountId, timeZone, limit);
  return [
    ...imports.map((one) => ({ ...one, name: one.fileName })),
    ...days.map((one) => ({
      ...one,
      state: 'done',
      name: `${one.pushes} ${one.pushes === 1 ? 'push' : 'pushes'} of ${formatDate(one.day)}`,
    })),
  ]
    .sort((a, b) => b.importId - a.importId)
    .slice(0, limit)
    .map(({ importId, finishedAt, state, format, name, rowsRead, rowsRefused }) =>
      [
        importId,
        formatInstant(finishedAt, timeZone),
        state,
        format,
        name,
        `${rowsRead} read`,
        `${rowsRefused} refused`,
      ].join('\t'),
    );
}

function describeFeed(feed: Feed, { timeZone }: Account, now: Date): string {
  const { format, lastAt, everyHours } = feed;
  return [
    format,
    lastAt ? `last ${formatInstant(lastAt, timeZone)}, ${describeAge(lastAt, now)} ago` : 'never',
    ...(everyHours === null ? [] : [`expected every ${everyHours} h`]),
    ...(isLate(feed, now) ? ['LATE'] : []),
  ].join('\t');
}

function feedToJson(feed: Feed, now: Date): object {
  const { format, lastAt, everyHours } = feed;
  return {
    format,
    last_at: lastAt,
    age_seconds: lastAt && Math.round((now.getTime() - lastAt.getTime()) / 1000),
    every_hours: everyHours,
    is_late: isLate(feed, now),
  };
}

function toJson(one: Awaited<ReturnType<typeof listImports>>[number]): object {
  return {
    import_id: one.importId,
    format: one.format,
    file_name: one.fileName,
    state: one.state,
    operator: one.operator,
    started_at: one.startedAt,
    finished_at: one.finishedAt,
    rows_read: one.rowsRead,
    rows_refused: one.rowsRefused,
    report: one.report,
  };
}
