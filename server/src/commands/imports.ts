import type { Command } from 'commander';
import { describeAge, type Feed, isLate, readFeeds } from '../modules/feeds/index.ts';
import { listImports } from '../modules/imports/index.ts';
import { type CommandContext, requireAccount } from './context.ts';

interface ListOptions {
  readonly account: string;
  readonly limit: number;
  readonly feeds?: true;
  readonly json?: true;
}

export function register(program: Command, context: CommandContext): void {
  program
    .command('imports')
    .description('list the files taken in or refused, newest first')
    .requiredOption('--account <subdomain>', 'whose files')
    .option('--limit <number>', 'how many', Number, 50)
    .option('--feeds', 'only how old each feed is: what is expected, what came, what is late')
    .option('--json', 'as one JSON document, with every report')
    .action((options: ListOptions) =>
      context.withDatabase(async (database) => {
        const account = await requireAccount(database, options.account);
        const { accountId } = account;
        const now = context.clock.now();
        const feeds = await readFeeds(database.system, account);
        if (options.feeds) {
          if (options.json) return context.printJson(feeds.map((feed) => feedToJson(feed, now)));
          if (feeds.length === 0) context.print('No file was imported yet, and none is expected.');
          for (const feed of feeds) context.print(describeFeed(feed, now));
          return;
        }
        const imports = await listImports(database.system, accountId, options.limit);
        if (options.json) {
          context.printJson(imports.map(toJson));
          return;
        }
        for (const feed of feeds) context.print(describeFeed(feed, now));
        if (feeds.length > 0) context.print('');
        if (imports.length === 0) context.print('No file was imported yet.');
        for (const one of imports) {
          context.print(
            [
              one.importId,
              one.finishedAt.toISOString(),
              one.state,
              one.format,
              one.fileName,
              `${one.rowsRead} read`,
              `${one.rowsRefused} refused`,
            ].join('\t'),
          );
        }
      }),
    );
}

function describeFeed(feed: Feed, now: Date): string {
  const { format, lastAt, everyHours } = feed;
  return [
    format,
    lastAt ? `last ${lastAt.toISOString()}, ${describeAge(lastAt, now)} ago` : 'never yet',
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
