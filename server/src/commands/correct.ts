import type { Command } from 'commander';
import { recordAudit } from '../modules/audit/index.ts';
import { findWaitingImport, putBackImport } from '../modules/imports/index.ts';
import { correctImport } from '../modules/notifications/index.ts';
import type { ImportId } from '../platform/ids.ts';
import { type CommandContext, CommandError } from './context.ts';
import { importNumber } from './release.ts';

export function register(program: Command, context: CommandContext): void {
  program
    .command('correct')
    .description(
      'correct a wrong import: withdraw its messages, send a correction to voters who already got one, and put back what a roll changed',
    )
    .argument('<import>', "the import's number, as beacon imports shows it", importNumber)
    .requiredOption('--by <name>', 'the person responsible for the correction')
    .action((importId: ImportId, { by }: { by: string }) =>
      context.withDatabase(async (database) => {
        if (await findWaitingImport(database.system, importId))
          throw new CommandError(
            `Import ${importId} is waiting for approval; nothing was loaded. Import the right file, and this file will be discarded.`,
          );
        const now = context.clock.now();
        const outcome = await database.transaction(async (tx) => {
          const corrected = await correctImport(tx, importId, by, now);
          const roll = corrected.ok ? await putBackImport(tx, importId) : null;
          if (corrected.ok)
            await recordAudit(tx, corrected.accountId, {
              actor: `operator:${by.trim()}`,
              action: 'import.correct',
              target: String(importId),
              details: {
                withdrawn: corrected.withdrawn,
                corrections: corrected.corrections,
                ...(roll && { ...roll }),
                run_as: context.operator,
              },
            });
          return { corrected, roll };
        });
        const { corrected, roll } = outcome;
        if (!corrected.ok) throw new CommandError(corrected.problem);
        context.print(
          roll
            ? `Import ${importId}: voters put back as they were: ${roll.restored}. Voters that it added, now inactive: ${roll.deactivated}.${describeLater(roll.changedLater)} Now import the right file.`
            : `Import ${importId}: ${corrected.withdrawn} messages withdrawn, ${corrected.corrections} correction messages will be sent. Now import the right file.`,
        );
      }),
    );
}

function describeLater(count: number): string {
  return count > 0 ? ` Voters that a later file changed again, left as they are: ${count}.` : '';
}
