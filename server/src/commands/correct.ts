import type { Command } from 'commander';
import { correct } from '../modules/approvals/index.ts';
import {
  adviseOnWrongFile,
  findWaitingImport,
  type PutBackImport,
} from '../modules/imports/index.ts';
import type { ImportId } from '../platform/ids.ts';
import { findResponsible, recordOf, requireImporter } from './command-sessions.ts';
import { type CommandContext, CommandError } from './context.ts';
import { importNumber } from './release.ts';

export function register(program: Command, context: CommandContext): void {
  program
    .command('correct')
    .description(
      'correct a wrong import: withdraw its messages, send a correction to voters who already got one, and put back what it changed',
    )
    .argument('<import>', "the import's number, as beacon imports shows it", importNumber)
    .option('--by <name>', 'the person responsible for the correction; left out after beacon login')
    .action((importId: ImportId, { by: typed }: { by?: string }) =>
      context.withDatabase(async (database, config) => {
        const waiting = await findWaitingImport(database.system, importId);
        if (waiting)
          throw new CommandError(
            `Import ${importId} is waiting for approval; nothing was loaded. ${adviseOnWrongFile(waiting.heldFile.format.holds)}, or discard it now: beacon discard ${importId} --by NAME --reason TEXT`,
          );
        const { account, importer } = await requireImporter(database, importId);
        const by = await findResponsible(
          { context, database, config, account },
          { command: `correct ${importId}`, typed, importer, isForImporter: true },
        );
        const corrected = await correct({ database, clock: context.clock }, importId, {
          actor: by.actor,
          name: by.name,
          details: recordOf(context, by),
        });
        if (!corrected.ok) throw new CommandError(corrected.problem);
        const { restored } = corrected;
        const messages = `${corrected.withdrawn} messages withdrawn, ${corrected.corrections} correction messages will be sent.`;
        context.print(
          `Import ${importId}: ${restored?.of === 'voters' ? '' : `${messages} `}${describeRestored(restored)}Now import the right file.`,
        );
      }),
    );
}

function describeRestored(restored: PutBackImport | null): string {
  if (!restored) return '';
  if (restored.of === 'mailpieces')
    return `Barcodes that it added, now removed: ${restored.removed}. `;
  if (restored.of === 'scans') return `Scans that no longer count: ${restored.withdrawn}. `;
  const { of, changedLater } = restored;
  const later =
    changedLater > 0
      ? `${nouns[of]} that a later file changed again, left as they are: ${changedLater}. `
      : '';
  return restored.of === 'voters'
    ? `voters put back as they were: ${restored.restored}. Voters that it added, now inactive: ${restored.deactivated}. ${later}`
    : `Ballots put back as they were: ${restored.restored}. ${later}`;
}

const nouns = { voters: 'Voters', ballots: 'Ballots' } as const;
