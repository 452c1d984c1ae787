import type { Command } from 'commander';
import {
  deleteLeftover,
  type Move,
  MoveRefused,
  moveAccount,
  moverName,
  undoMove,
} from '../modules/moves/index.ts';
import { readSchemaState } from '../platform/migrations.ts';
import { openDatabase } from '../platform/postgres.ts';
import { asOwner } from './as-owner.ts';
import { type CommandContext, CommandError, exitCodes, requireAccount } from './context.ts';
import { plural } from './words.ts';

/** To each of the two databases: one keeps imports out, one reads the rows, one looks after the rest. */
const connections = 3;

/** `beacon account move`. Docs: docs/operations/cells.md. */
export function registerMove(account: Command, context: CommandContext): void {
  account
    .command('move')
    .description("move an account with all its rows to another cell's database (MOVE_DATABASE_URL)")
    .argument('<subdomain>', 'the account')
    .option('--undo', 'open it here again after a move that did not come to its end')
    .option('--delete-here', 'delete what is left here of an account that moved, for good')
    .action((subdomain: string, options: MoveOptions) => {
      if (options.undo && options.deleteHere)
        throw new CommandError('Use either --undo or --delete-here.', exitCodes.usage);
      const url = context.readSetting('MOVE_DATABASE_URL');
      if (!url)
        throw new CommandError(
          "Set MOVE_DATABASE_URL to the other cell's database, with the login of its owner.",
        );
      const { databaseConnections } = context.readConfig();
      if (databaseConnections < 2 * connections)
        throw new CommandError(
          `DATABASE_CONNECTIONS is ${databaseConnections}, and a move needs at least ${2 * connections}. Raise it, or unset it to allow 20.`,
        );
      return asOwner(context, async (_, ownUrl) => {
        if ((await readSchemaState(url)).pending.length > 0)
          throw new CommandError("The other cell's database is older than this version.");
        const from = openDatabase(named(ownUrl), { connections });
        const to = openDatabase(named(url), { connections });
        try {
          const found = await requireAccount(from, subdomain);
          const { clock, operator: actor } = context;
          const say = context.print;
          await run(context, { from, to, account: found, actor, clock, say }, options);
        } catch (error) {
          if (error instanceof MoveRefused) throw new CommandError(error.message);
          throw error;
        } finally {
          await from.close();
          await to.close();
        }
      });
    });
}

interface MoveOptions {
  readonly undo?: true;
  readonly deleteHere?: true;
}

async function run(
  context: CommandContext,
  move: Move,
  { undo, deleteHere }: MoveOptions,
): Promise<void> {
  const { subdomain } = move.account;
  const sumOf = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (deleteHere) {
    const deleted = sumOf(await deleteLeftover(move));
    context.print(
      `Deleted ${plural(deleted, 'row')} of account ${subdomain} here. What was done here stays in the audit.`,
    );
    return;
  }
  if (undo) {
    await undoMove(move);
    context.print(`Account ${subdomain} is open here again.`);
    return;
  }
  const counts = await moveAccount(move);
  const rows = sumOf(counts);
  if (rows > 0)
    context.print(
      `${plural(rows, 'row')} of ${plural(Object.keys(counts).length, 'table')} are in the other cell.`,
    );
  context.print(
    `Account ${subdomain} is in the other cell, which sends its messages from now on. Now name it in the proxy's table, and reload the proxy.`,
  );
}

function named(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}application_name=${moverName}`;
}
