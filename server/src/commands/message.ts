import type { Command } from 'commander';
import { previewMessages } from '../modules/notifications/index.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';

interface PreviewOptions {
  readonly account: string;
  readonly language?: string;
  readonly channel?: string;
  readonly about?: string;
  readonly json?: true;
}

export function register(program: Command, context: CommandContext): void {
  program
    .command('message')
    .description('preview the messages that voters get')
    .command('preview')
    .description("show every message in this office's words, with made-up values")
    .requiredOption('--account <subdomain>', 'the account')
    .option('--language <language>', 'one language, such as spanish')
    .option('--channel <channel>', 'email, sms or voice')
    .option('--about <about>', 'one status, or opt-in, welcome, correction, …')
    .option('--json', 'as one JSON document')
    .action((options: PreviewOptions) =>
      context.withDatabase(async (database, config) => {
        const { accountId } = await requireAccount(database, options.account);
        const previews = await previewMessages(database.system, config, accountId, options);
        if (previews.length === 0)
          throw new CommandError(
            'No message matches these options. Leave out an option to see more.',
          );
        if (options.json) context.printJson(previews);
        else
          for (const { language, channel, about, size, subject, body, gaps } of previews) {
            const measure = size ? `, ${size.segments} × ${size.encoding}` : '';
            const missing = gaps.length > 0 ? `, MISSING ${gaps.join(' ')}` : '';
            context.print(`── ${about} · ${channel} · ${language}${measure}${missing}`);
            if (subject !== null) context.print(`Subject: ${subject}\n`);
            context.print(body);
          }
        if (previews.some(({ gaps }) => gaps.length > 0))
          throw new CommandError(
            'Some messages have empty placeholders and would have to wait for approval.',
          );
      }),
    );
}
