import { type Command, InvalidArgumentError } from 'commander';
import { recordAudit } from '../modules/audit/index.ts';
import { releaseImport } from '../modules/notifications/index.ts';
import { type CommandContext, CommandError } from './context.ts';

export function register(program: Command, context: CommandContext): void {
  program
    .command('release')
    .description('let the messages of a held import go; by somebody else than who imported it')
    .argument('<import>', "the import's number, as beacon imports shows it", importNumber)
    .requiredOption('--by <name>', 'who looked at it and answers for it')
    .action((importId: number, { by }: { by: string }) =>
      context.withDatabase(async (database) => {
        const now = context.clock.now();
        const outcome = await database.transaction(async (tx) => {
          const released = await releaseImport(tx, importId, by, now);
          if (released.ok)
            await recordAudit(tx, released.accountId, {
              actor: `operator:${by.trim()}`,
              action: 'import.release',
              target: String(importId),
              details: { messages: released.messages, run_as: context.operator },
            });
          return released;
        });
        if (!outcome.ok) throw new CommandError(outcome.problem);
        context.print(
          `Import ${importId} is released: ${outcome.messages} messages are on their way.`,
        );
      }),
    );
}

export function importNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('It must be the number of an import.');
  return number;
}
