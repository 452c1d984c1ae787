import type { Account, RecordCount } from '../modules/accounts/index.ts';
import { isImporting } from '../modules/imports/index.ts';
import type { Database } from '../platform/postgres.ts';
import { CommandError } from './context.ts';

/** @throws {CommandError} while a file is imported, which could bring what a removal just found missing */
export async function requireNoImport(database: Database, account: Account): Promise<void> {
  if (await isImporting(database.system, account.accountId))
    throw new CommandError(
      `A file of account ${account.subdomain} is being imported. Try again when it is done.`,
    );
}

/** `1 voter, 2,300 ballots` */
export function describeRecords(records: readonly RecordCount[]): string {
  return records
    .map(({ noun, count }) => {
      const plural = noun.endsWith('s') ? `${noun}es` : `${noun}s`;
      return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
    })
    .join(', ');
}
