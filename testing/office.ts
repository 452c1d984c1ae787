import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  type Account,
  applyAccountFile,
  findAccountBySubdomain,
  saveElection,
} from '../server/src/modules/accounts/index.ts';
import {
  findFormat,
  type ImportOutcome,
  type ImportRequest,
  importFile,
} from '../server/src/modules/imports/index.ts';
import { urlsOfLogins } from '../server/src/platform/logins.ts';
import { openDatabase } from '../server/src/platform/postgres.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { testTokenKeys } from './token-keys.ts';

/** An election office with a database of its own. */
export interface TestOffice {
  readonly db: TestDatabase;
  readonly account: Account;
  readonly clock: TestClock;
  /** Where refused rows and waiting files are. */
  readonly folder: string;
  /** Imports a file of this content, by the login for offices. */
  import(
    format: string,
    content: string | Buffer,
    more?: Partial<ImportRequest>,
  ): Promise<ImportOutcome>;
  addElection(number: string, date: string, isActive?: boolean): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param settings beside the required ones of an account file
 * @param beside an office whose database it shares, and which is closed after it
 */
export async function createTestOffice(
  settings: object = {},
  beside?: TestOffice,
): Promise<TestOffice> {
  const db = beside?.db ?? (await createTestDatabase());
  const folder = mkdtempSync(join(tmpdir(), 'beacon-office-'));
  const file = join(folder, 'account.json');
  const required = { subdomain: 'adams', name: 'Adams County', county: 'Adams', state: 'WA' };
  writeFileSync(
    file,
    JSON.stringify({ ...required, time_zone: 'America/Los_Angeles', ...settings }),
  );
  const applied = await applyAccountFile(db.database, file);
  if (!applied.ok) throw new Error(JSON.stringify(applied.problems));
  const account = await findAccountBySubdomain(db.database.system, applied.file.subdomain);
  if (!account) throw new Error('The account is not there after it was applied.');
  const clock = createTestClock();
  const office = openDatabase(urlsOfLogins(db.url).officeUrl, { connections: 6 });
  return {
    db,
    account,
    clock,
    folder,
    async import(format, content, more = {}) {
      const found = await findFormat(format);
      if (!found.ok) throw new Error(found.message);
      const bytes = Buffer.from(content);
      return importFile(office, clock, {
        account,
        format: found.format,
        file: { name: 'file.csv', size: bytes.length, open: () => Readable.from([bytes]) },
        operator: 'operator:tester',
        rejectsDirectory: folder,
        tokenKeys: testTokenKeys,
        ...more,
      });
    },
    async addElection(number, electionDate, isActive = true) {
      const election = { number, name: `Election ${number}`, electionDate, isActive };
      await db.database.transaction((tx) => saveElection(tx, account.accountId, election));
    },
    async close() {
      await office.close();
      if (!beside) await db.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
