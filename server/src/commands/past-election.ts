import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Account, type Election, listElections } from '../modules/accounts/index.ts';
import { recordAudit } from '../modules/audit/index.ts';
import {
  archiveElection,
  countRows,
  deleteDiscarded,
  discardElection,
  ElectionChanging,
  explainRefusal,
} from '../modules/past-elections/index.ts';
import { formatDate } from '../platform/clock.ts';
import type { Database } from '../platform/postgres.ts';
import { type CommandContext, CommandError, requireAccount, requireElection } from './context.ts';
import { describeRecords, requireNoImport } from './removal.ts';

interface DiscardOptions {
  readonly account: string;
  readonly archive?: string;
  readonly dryRun?: true;
}

/** `beacon election archive` and `discard`: the end of an election's records. */
export function registerPastElection(election: Command, context: CommandContext): void {
  election
    .command('archive')
    .description('write all that is on record about an election into a new folder')
    .argument('<number>', "the election's number")
    .requiredOption('--account <subdomain>', 'the account')
    .requiredOption('--out <folder>', 'a folder that is not there yet')
    .action((number: string, options: { account: string; out: string }) =>
      context.withDatabase(async (database) => {
        const found = await find(database, options.account, number);
        await archive(context, database, found, options.out);
      }),
    );

  election
    .command('discard')
    .description('delete the ballots, events, scans and messages of an election that is over')
    .argument('<number>', "the election's number")
    .requiredOption('--account <subdomain>', 'the account')
    .option('--archive <folder>', 'write them into this new folder before')
    .option('--dry-run', 'say what would be deleted, and whether it may be')
    .action((number: string, options: DiscardOptions) =>
      context.withDatabase((database) => discard(context, database, number, options)),
    );
}

interface Found {
  readonly account: Account;
  readonly one: Election;
}

async function find(database: Database, subdomain: string, number: string): Promise<Found> {
  const account = await requireAccount(database, subdomain);
  const all = await listElections(database.system, account.accountId);
  return { account, one: requireElection(all, number) };
}

async function discard(
  context: CommandContext,
  database: Database,
  number: string,
  options: DiscardOptions,
): Promise<void> {
  const found = await find(database, options.account, number);
  const { account, one } = found;
  const counts = await countRows(database.system, account.accountId, one);
  const what = describeRecords(
    Object.entries(counts).map(([nouns, count]) => ({ noun: nouns.slice(0, -1), count })),
  );
  const title = `Election ${one.number}, ${one.name}, ${formatDate(one.electionDate)}`;
  const refusal = await explainRefusal(database.system, account, one, context.clock.now());
  if (options.dryRun) {
    context.print(`${title} has ${what}.`);
    if (refusal === undefined) context.print('beacon election discard deletes them for good.');
  }
  if (refusal !== undefined) throw new CommandError(refusal);
  if (options.dryRun) return;
  await requireNoImport(database, account);
  const files =
    options.archive === undefined
      ? undefined
      : await archive(context, database, found, options.archive);
  await discardElection(database.system, one, {
    at: context.clock.now(),
    actor: context.operator,
    details: {
      ...{ name: one.name, date: one.electionDate, ...counts },
      ...(files && { archive: files.map(({ name, sha256 }) => `${name} ${sha256}`) }),
    },
  });
  const stop = new AbortController();
  const stopListening = context.onInterrupt(() => stop.abort());
  try {
    // The operator who reads this may press Ctrl+C at once.
    context.print(`${title} is gone from every page and report. Its rows are being deleted.`);
    const isStopping = () => stop.signal.aborted;
    await deleteDiscarded(database.system, context.clock, one.electionId, isStopping);
  } finally {
    stopListening();
  }
  context.print(stop.signal.aborted ? 'Stopped. A worker deletes the rest.' : `Deleted: ${what}.`);
}

async function archive(
  context: CommandContext,
  database: Database,
  { account, one }: Found,
  out: string,
) {
  const folder = resolve(out);
  const at = context.clock.now();
  try {
    const files = await archiveElection(database, account.accountId, one, { folder, at });
    await recordAudit(database.system, account.accountId, {
      actor: context.operator,
      action: 'election.archive',
      target: one.number,
      details: { files: files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })) },
    });
    context.print(`Election ${one.number} was archived: ${files.length} files in ${folder}`);
    return files;
  } catch (error) {
    if (error instanceof ElectionChanging)
      throw new CommandError(
        `A file of account ${account.subdomain} is being imported. Try again when it is done.`,
      );
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new CommandError(`${folder} is there already. Name a folder that is not.`);
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOSPC' || code === 'ENOTDIR')
      throw new CommandError(`${folder} cannot be written (${code}). Nothing was deleted.`);
    throw error;
  }
}
