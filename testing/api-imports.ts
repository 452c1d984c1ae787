import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { findAccountBySubdomain, saveElection } from '../server/src/modules/accounts/index.ts';
import { findFormat, importFile } from '../server/src/modules/imports/index.ts';
import { systemClock } from '../server/src/platform/clock.ts';
import type { AccountId } from '../server/src/platform/ids.ts';
import { addOffice, type TestApi } from './api.ts';
import { testTokenKeys } from './token-keys.ts';

/** An office behind a test's API that loads files, on the day that it is: the API's answers are about that day, too. */
export interface LoadingOffice {
  readonly accountId: AccountId;
  /** @returns the state in which the import ended */
  load(format: string, content: string): Promise<string>;
}

/** Creates an office with election 7. @param electionDate `YYYY-MM-DD` */
export async function addLoadingOffice(
  { test: { database }, test }: TestApi,
  settings: { readonly subdomain: string } & Record<string, unknown>,
  electionDate: string,
): Promise<LoadingOffice> {
  await addOffice(test, settings);
  const account = await findAccountBySubdomain(database.system, settings.subdomain);
  if (!account) throw new Error('The office is not there.');
  const election = { number: '7', name: 'Election 7', electionDate, isActive: true };
  await database.transaction((tx) => saveElection(tx, account.accountId, election));
  return {
    accountId: account.accountId,
    async load(name, content) {
      const found = await findFormat(name);
      if (!found.ok) throw new Error(found.message);
      const rejectsDirectory = mkdtempSync(path.join(tmpdir(), 'beacon-rejects-'));
      const { state } = await importFile(database, systemClock, {
        account,
        format: found.format,
        file: {
          name: 'file.csv',
          size: Buffer.byteLength(content),
          open: () => Readable.from([Buffer.from(content)]),
        },
        operator: 'operator:tester',
        rejectsDirectory,
        tokenKeys: testTokenKeys,
      });
      rmSync(rejectsDirectory, { recursive: true });
      return state;
    },
  };
}
