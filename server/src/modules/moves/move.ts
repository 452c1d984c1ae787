import { setTimeout as wait } from 'node:timers/promises';
import { channels } from '@ballot-beacon/contract/messages';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres.ts';
import { type Account, findAccountBySubdomain } from '../accounts/index.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { wakeWorker } from '../notifications/index.ts';
import {
  copyRows,
  countFilesThatWait,
  lockImports,
  type RowCounts,
  readCellNumber,
  readSchemaVersion,
} from './copy-store.ts';
import {
  beginMove,
  closeTable,
  countOwners,
  countSending,
  finishMove,
  listAccountTables,
  openTables,
  reopen,
  stopClaims,
} from './freeze-store.ts';
import { deleteRows, hasMoved } from './leftover-store.ts';

/** How long providers may take with what they were given before the move; after that the other cell decides, as after a crash. */
const drainMs = 60_000;
const drainPauseMs = 200;

/** The move is not possible as things are. Nothing was changed, or it goes on where it stopped. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused';
}

export interface Move {
  readonly from: Database;
  readonly to: Database;
  readonly account: Account;
  readonly actor: Actor;
  readonly clock: Clock;
  /** Hears what is being done. */
  say(text: string): void;
}

/**
 * Moves an account with all its rows to another cell's database. First no login here sees its rows any more, so nothing is written and
 * nothing sent; then everything is copied in one transaction of the other database. Interrupted, it stays closed, and the same call goes on.
 *
 * @throws {MoveRefused}
 */
export async function moveAccount(move: Move): Promise<RowCounts> {
  const { from, to, account, actor, clock, say } = move;
  const { accountId, subdomain } = account;
  // Its old rows there, or what is kept of them, are not a move that was interrupted, and stay closed.
  if (await hasMoved(to.system, accountId))
    throw new MoveRefused(
      `Account ${subdomain} has moved away from the other cell, and an office can go to a cell once (docs/operations/cells.md).`,
    );
  const there = await findAccountBySubdomain(to.system, subdomain);
  if (there && there.accountId !== accountId)
    throw new MoveRefused(`The other cell has an account ${subdomain} already.`);
  // If it has this one, the move was interrupted between the two databases, or this one comes from a backup of before it.
  const isThere = there !== undefined;
  await refuseUnlike(move);
  if (!isThere) await refuseLowerNumber(move);
  return from.transaction(async (lock) => {
    if (!(await lockImports(lock, accountId)))
      throw new MoveRefused(
        `A file of account ${subdomain} is being imported. Try again when it is done.`,
      );
    if (!isThere && (await countFilesThatWait(from.system, accountId)) > 0)
      throw new MoveRefused(
        `A file of account ${subdomain} waits for approval. Approve or discard it first.`,
      );
    const tables = await listAccountTables(from.system);
    await beginMove(from.system, accountId, clock.now());
    await stopClaims(from.system, accountId);
    const until = performance.now() + drainMs;
    while ((await countSending(from.system, accountId)) > 0 && performance.now() < until)
      await wait(drainPauseMs);
    for (const table of tables) await closeTable(from.system, table, accountId);
    if (isThere) {
      await finishMove(from.system, accountId, clock.now());
      return {};
    }
    say(`Account ${subdomain} is closed here: voters are asked to come back in a little while.`);
    const counts = await to.transaction(async (tx) => {
      const copied = await copyRows(from, tx, tables, accountId);
      await recordAudit(tx, accountId, { actor, action: 'account.move', target: subdomain });
      // Copied rows announce nothing: its messages would wait for the worker's next look, up to a minute.
      for (const channel of channels) await wakeWorker(tx, channel);
      return copied;
    });
    await finishMove(from.system, accountId, clock.now());
    return counts;
  });
}

/** Opens an account again that is closed for a move which did not come to its end. @throws {MoveRefused} */
export async function undoMove({ from, to, account }: Move): Promise<void> {
  const { accountId, subdomain } = account;
  if (await findAccountBySubdomain(to.system, subdomain))
    throw new MoveRefused(`The other cell has account ${subdomain} and serves it.`);
  await reopen(from.system, await listAccountTables(from.system), accountId);
}

/** What a chain proves as a whole, and what is no voter's. It stays, closed as before. */
const record = 'audit_log';

/**
 * Deletes here what is left of an account that moved away, table after table, those first that refer to others. Interrupted, the same call goes on.
 *
 * @throws {MoveRefused} unless the other cell has the account
 */
export async function deleteLeftover({ from, to, account }: Move): Promise<RowCounts> {
  const { accountId, subdomain } = account;
  if (!(await hasMoved(from.system, accountId)))
    throw new MoveRefused(`Account ${subdomain} has not moved to another cell.`);
  const there = await findAccountBySubdomain(to.system, subdomain);
  if (there?.accountId !== accountId)
    throw new MoveRefused(
      `The other cell does not have account ${subdomain}. Nothing was deleted.`,
    );
  const tables = (await listAccountTables(from.system)).filter((table) => table !== record);
  const counts: Record<string, number> = {};
  for (const table of tables.filter((one) => one !== 'accounts').reverse())
    counts[table] = await deleteRows(from.system, table, accountId);
  // While the account is there, the command finds it and goes on.
  await openTables(from.system, tables, accountId);
  counts.accounts = await deleteRows(from.system, 'accounts', accountId);
  return counts;
}

/** What came last has the highest number: of a ballot's records, of messages, of the envelopes that one barcode was on. */
async function refuseLowerNumber({ from, to }: Move): Promise<void> {
  const [here, there] = [await readCellNumber(from.system), await readCellNumber(to.system)];
  if ((there ?? 0) < (here ?? 0))
    throw new MoveRefused(
      `The other cell has number ${there}, and this one has ${here}. An office can go to a cell with a higher number alone: what its files say there would count as older than what is known, and voters would not see it.`,
    );
}

async function refuseUnlike({ from, to }: Move): Promise<void> {
  if ((await readSchemaVersion(from.system)) !== (await readSchemaVersion(to.system)))
    throw new MoveRefused(
      'The two cells do not have the same version. Upgrade the older one first.',
    );
  const [here, there] = [await readCellNumber(from.system), await readCellNumber(to.system)];
  if (there === null || there === (here ?? 0))
    throw new MoveRefused(
      'The other cell has no number of its own, so its rows could get the numbers of these. Before its first office run there: beacon migrate --cell NUMBER',
    );
  if ((await countOwners(from.system)) > 0)
    throw new MoveRefused(
      "A process uses this database by its owner's login, which nothing keeps from an account's rows. Give the processes logins of their own, or stop them.",
    );
}
