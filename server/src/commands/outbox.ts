import type { Command } from 'commander';
import { listOutbox } from '../modules/notifications/index.ts';
import { type CommandContext, requireAccount } from './context.ts';
import { formatInstant } from './dates.ts';
import { countOption } from './words.ts';

interface OutboxOptions {
  readonly account: string;
  readonly limit?: number;
  readonly json?: true;
}

export function register(program: Command, context: CommandContext): void {
  program
    .command('outbox')
    .description('list messages, newest first; with their text if the local provider sent them')
    .requiredOption('--account <subdomain>', 'the account')
    .option('--limit <number>', 'how many; all when left out', countOption)
    .option('--json', 'as one JSON document')
    .action((options: OutboxOptions) =>
      context.withDatabase(async (database) => {
        const { accountId, timeZone } = await requireAccount(database, options.account);
        const messages = await listOutbox(database.system, accountId, options.limit ?? null);
        if (options.json) {
          context.printJson(messages);
          return;
        }
        if (messages.length === 0) context.print('There are no messages yet.');
        for (const message of messages) {
          const { channel, address, state, subject, body, error_code: code } = message;
          const when = formatInstant(message.sent_at ?? message.deliver_after, timeZone);
          context.print(
            [message.message_id, when, channel, address, state, code ?? ''].join('\t').trimEnd(),
          );
          for (const line of [subject, body].filter((text) => text !== null))
            context.print(line.replaceAll(/^/gm, '    '));
        }
      }),
    );
}
