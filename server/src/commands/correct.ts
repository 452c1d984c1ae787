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
      "take back an import's messages: withdraw what has not left, and tell those who got one that it was wrong",
    )
    .argument('<import>', "the import's number, as beacon imports shows it", importNumber)
    .requiredOption('--by <name>', 'who answers for it')
    .action((importId: number, { by }: { by: string }) =>
      context.withDatabase(async (database) => {
        if (await findHeldImport(database.system, importId))
          throw new CommandError(
            `Nothing of import ${importId} is in: it is held. Import the right file, and this one is forgotten.`,
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
          `Import ${importId}: ${outcome.withdrawn} messages withdrawn, ${outcome.corrections} corrections on their way. Now import the right file.`,
        );
      }),
    );
}
