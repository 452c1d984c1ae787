import type { Command } from 'commander';
import { recordAudit } from '../modules/audit/index.ts';
import { findHeldImport } from '../modules/imports/index.ts';
import { correctImport } from '../modules/notifications/index.ts';
import { type CommandContext, CommandError } from './context.ts';
import { importNumber } from './release.ts';

export function register(program: Command, context: CommandContext): void {
  program
    .command('correct')
    .description(
      'correct a wrong import: withdraw its messages, and send a correction to voters who already got one',
    )
    .argument('<import>', "the import's number, as beacon imports shows it", importNumber)
    .requiredOption('--by <name>', 'the person responsible for the correction')
    .action((importId: number, { by }: { by: string }) =>
      context.withDatabase(async (database) => {
        if (await findHeldImport(database.system, importId))
          throw new CommandError(
            `Import ${importId} is waiting for approval; nothing was loaded. Import the right file, and this file will be discarded.`,
          );
        const now = context.clock.now();
        const outcome = await database.transaction(async (tx) => {
          const corrected = await correctImport(tx, importId, by, now);
          if (corrected.ok)
            await recordAudit(tx, corrected.accountId, {
              actor: `operator:${by.trim()}`,
              action: 'import.correct',
              target: String(importId),
              details: {
                withdrawn: corrected.withdrawn,
                corrections: corrected.corrections,
                run_as: context.operator,
              },
            });
          return corrected;
        });
        if (!outcome.ok) throw new CommandError(outcome.problem);
        context.print(
          `Import ${importId}: ${outcome.withdrawn} messages withdrawn, ${outcome.corrections} correction messages will be sent. Now import the right file.`,
        );
      }),
    );
}
