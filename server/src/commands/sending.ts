import { type Channel, channels } from '@ballot-beacon/contract/messages';
import { type Command, Option } from 'commander';
import {
  decideRequests,
  describeFinish,
  readQueue,
  readSending,
} from '../modules/notifications/index.ts';
import { type CommandContext, CommandError, exitCodes, requireAccount } from './context.ts';

interface ResumeOptions {
  readonly account: string;
  readonly channel: Channel;
  readonly by: string;
  readonly discard?: true;
}

export function register(program: Command, context: CommandContext): void {
  const sending = program
    .command('sending')
    .description(
      'what waits to be sent, and the daily limits on what visitors can make an office send',
    );
  sending
    .command('show')
    .description('today’s requests and what waits above the limit; exit status 1 if anything waits')
    .requiredOption('--account <subdomain>', 'the account')
    .option('--json', 'as one JSON document')
    .action(({ account: subdomain, json }: { account: string; json?: true }) =>
      context.withDatabase(async (database) => {
        const account = await requireAccount(database, subdomain);
        const limits = account.settings.daily_request_limits;
        const rows = (await readSending(database.system, account)).map(
          ({ channel, today, waiting }) => ({ channel, today, limit: limits[channel], waiting }),
        );
        if (json) context.printJson(rows);
        else
          for (const { channel, today, limit, waiting } of rows) {
            const todo =
              waiting > 0
                ? `, ${waiting} waiting for you: beacon sending resume --account ${subdomain} --channel ${channel} --by NAME`
                : '';
            context.print(`${channel.padEnd(5)}  ${today} of ${limit} requests today${todo}`);
          }
        if (rows.some(({ waiting }) => waiting > 0))
          throw new CommandError('Requests are waiting for you.', exitCodes.failed);
      }),
    );
  sending
    .command('queue')
    .description('what waits to be sent, by sender, and when the last message leaves')
    .requiredOption('--account <subdomain>', 'the account')
    .option('--json', 'as one JSON document')
    .action(({ account: subdomain, json }: { account: string; json?: true }) =>
      context.withDatabase(async (database, config) => {
        const { accountId, timeZone } = await requireAccount(database, subdomain);
        const now = context.clock.now();
        const queue = await readQueue(database.system, config, null, now);
        const own = queue.senders.filter(({ accounts }) => accounts.includes(accountId));
        if (json)
          context.printJson(
            own.map(({ channel, sender, messages, parts, finish }) => ({
              ...{ channel, sender, messages, parts, too_old: finish.unsent },
              earliest_end: new Date(finish.earliestAt).toISOString(),
              latest_end: new Date(finish.latestAt).toISOString(),
            })),
          );
        else if (own.length === 0) context.print('No message waits.');
        else
          for (const { channel, sender, messages, parts, accounts, finish } of own) {
            const shared = accounts.length > 1 ? ' of all offices that share it' : '';
            const size = parts === messages ? '' : `, ${parts.toLocaleString('en-US')} parts`;
            context.print(
              `${channel.padEnd(5)}  ${sender}  ${messages.toLocaleString('en-US')} messages${size}${shared}. ${describeFinish(finish, timeZone, now)}`,
            );
          }
      }),
    );
  sending
    .command('resume')
    .description('send the requests that wait above the limit, or discard them; audited')
    .requiredOption('--account <subdomain>', 'the account')
    .addOption(
      new Option('--channel <channel>', 'which requests')
        .choices([...channels])
        .makeOptionMandatory(),
    )
    .requiredOption('--by <name>', 'the person who is responsible for it')
    .option('--discard', 'send none of them: they were an attack')
    .action(({ account: subdomain, channel, by, discard }: ResumeOptions) =>
      context.withDatabase(async (database) => {
        const name = by.trim();
        if (name === '') throw new CommandError('--by needs the name of the person who approves.');
        const account = await requireAccount(database, subdomain);
        const isDiscarded = discard === true;
        const now = context.clock.now();
        const decided = { actor: `operator:${name}`, runAs: context.operator } as const;
        const messages = await database.transaction((tx) =>
          decideRequests(tx, account, { channel, isDiscarded }, decided, now),
        );
        context.print(
          `${messages} waiting ${channel} requests ${isDiscarded ? 'were discarded' : 'will be sent'}. Today’s count starts from zero.`,
        );
      }),
    );
}
