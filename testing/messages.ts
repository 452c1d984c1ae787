import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import {
  type Account,
  applyAccountFile,
  findAccount,
  saveElection,
} from '../server/src/modules/accounts/index.ts';
import { findFormat, type ImportOutcome, importFile } from '../server/src/modules/imports/index.ts';
import { enqueueMessages } from '../server/src/modules/notifications/index.ts';
import { type Config, readConfig } from '../server/src/platform/config.ts';
import type { VoterId } from '../server/src/platform/ids.ts';
import type { Database } from '../server/src/platform/postgres.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { createTestDatabase } from './database.ts';

/** One row of a ballot status file. Days are `YYYY-MM-DD`. */
export interface BallotRow {
  readonly voter: string;
  readonly status:
    | 'Requested'
    | 'Outbound'
    | 'Accepted'
    | 'Rejected'
    | 'RejectedCurable'
    | 'Undeliverable';
  readonly mailed?: string;
  readonly returned?: string;
  readonly election?: string;
  /** What is wrong with the envelope, in the office's words. */
  readonly reason?: string;
}

export interface OptIn {
  readonly email?: string;
  readonly sms?: string;
  readonly voice?: string;
  readonly language?: string;
  /** Allowed hours on every channel. */
  readonly hours?: readonly [start: string, end: string];
}

/** An invented county with a roll, an active election and real imports, for tests of its messages. */
export interface MessageCounty {
  readonly database: Database;
  readonly url: string;
  readonly config: Config;
  readonly clock: TestClock;
  readonly account: Account;
  importBallots(rows: readonly BallotRow[], operator?: string): Promise<ImportOutcome>;
  /** A file of another format, by its lines. */
  importLines(format: string, lines: readonly string[]): Promise<ImportOutcome>;
  optIn(voter: string, ways: OptIn): Promise<VoterId>;
  drop(): Promise<void>;
}

export const electionDay = '2026-11-03';

/** @param voters registration ids; each voter's first name is `Voter`, the last name the id */
export async function createMessageCounty(
  voters: readonly string[],
  options: { readonly now?: string; readonly settings?: Readonly<Record<string, unknown>> } = {},
): Promise<MessageCounty> {
  const { database, url, drop } = await createTestDatabase();
  const clock = createTestClock(options.now ?? '2026-10-05T15:00:00Z');
  const folder = mkdtempSync(join(tmpdir(), 'beacon-messages-'));
  const config = readConfig({
    BASE_DOMAIN: 'beacon.example',
    PUBLIC_URL: 'https://beacon.example',
    DEFAULT_ACCOUNT: '',
  });

  const file = join(folder, 'account.json');
  const settings = {
    subdomain: 'adams',
    name: 'Adams County Elections',
    county: 'Adams',
    state: 'FL',
    time_zone: 'America/New_York',
    languages: ['english', 'spanish'],
    contact_phone: '(555) 555-0100',
    contact_email: 'elections@adams.example',
    from_voice: '+15555550100',
    ...options.settings,
  };
  writeFileSync(file, JSON.stringify(settings));
  const applied = await applyAccountFile(database, file);
  if (!applied.ok)
    throw new Error(`The test account is refused: ${JSON.stringify(applied.problems)}`);
  const { accountId } = applied;
  const account = await findAccount(database.system, accountId);
  if (!account) throw new Error('The test account is not there.');
  await database.transaction((tx) =>
    saveElection(tx, accountId, {
      number: '100',
      name: '2026 General Election',
      electionDate: electionDay,
      isActive: true,
    }),
  );

  const take = async (
    name: string,
    format: string,
    lines: readonly string[],
    operator: string,
  ): Promise<ImportOutcome> => {
    const found = await findFormat(format);
    if (!found.ok) throw new Error(found.message);
    return importFile(database, clock, {
      account,
      format: found.format,
      file: { name, open: () => Readable.from([Buffer.from(`${lines.join('\n')}\n`)]) },
      operator: `operator:${operator}`,
      rejectsDirectory: folder,
      afterEvents: (tx, importId, _, isJudged) =>
        enqueueMessages(
          tx,
          config,
          { accountId, importId, rowsRead: lines.length - 1, isJudged },
          clock.now(),
        ),
    });
  };
  const roll = await take(
    'voters.csv',
    'voter-focus-voters',
    [
      'Voter ID,First Name,Last Name,Middle Name,Birth Date,Zip Code,County of Residence,Private Home Phone,Private Mobile Phone,Area Code,Phone Number,Email Address,Public Email Address',
      ...voters.map((id) => `${id},Voter,${id},,01/02/1980,32601,Adams,,,,,,`),
    ],
    'clerk',
  );
  if (roll.state !== 'done')
    throw new Error(roll.report.refusedBecause ?? 'The test roll is not in.');

  let imports = 0;
  return {
    database,
    url,
    config,
    clock,
    account,
    importBallots(rows, operator = 'Ann Clerk') {
      imports += 1;
      return take(
        `ballots-${imports}.csv`,
        'voter-focus-ballots',
        [
          'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,VbmRequestPrecinct,VbmParty,RejectionReason,RejectionDescription,IsReinstated,IsSignatureRelatedReason',
          ...rows.map(
            ({ voter, status, mailed = '', returned = '', election = '100', reason = '' }) =>
              `${election},${voter},${status},${mailed},${returned},1,,,${reason},FALSE,FALSE`,
          ),
        ],
        operator,
      );
    },
    importLines: (format, lines) => take('file.csv', format, lines, 'Ann Clerk'),
    async optIn(voter, { email = '', sms = '', voice = '', language = 'english', hours }) {
      const [start = null, end = null] = hours ?? [];
      const { rows } = await sql<{ voter_id: VoterId }>`
        insert into contact_preferences (account_id, voter_id, language_preference, is_confirmed)
        select account_id, voter_id, ${language}, true
        from voters where account_id = ${accountId} and registration_id = ${voter}
        returning voter_id`.execute(database.system);
      const voterId = rows[0]?.voter_id;
      if (voterId === undefined) throw new Error(`There is no voter ${voter}.`);
      for (const [channel, address] of Object.entries({ email, sms, voice }))
        if (address !== '') {
          await sql`insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in, hours_start, hours_end)
            values (${accountId}, ${voterId}, ${channel}, ${address}, 'proven', true, ${start}, ${end})`.execute(
            database.system,
          );
          await sql`insert into consents (account_id, voter_id, channel, address, action, source, wording)
            values (${accountId}, ${voterId}, ${channel}, ${address.toLowerCase()}, 'confirmed', 'test', 'test')`.execute(
            database.system,
          );
        }
      return voterId;
    },
    async drop() {
      rmSync(folder, { recursive: true, force: true });
      await drop();
    },
  };
}
