import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyAccountFile, saveElection } from '../server/src/modules/accounts/index.ts';
import type { AccountId, ImportId } from '../server/src/platform/ids.ts';
import type { Database, Tx } from '../server/src/platform/postgres.ts';
import { sql } from '../testing/sql.ts';

export interface CountySize {
  readonly voters: number;
  /** How many of them, from the first on, signed up. */
  readonly optedIn: number;
  /** Of ten who signed up: for mail; the others for texts. */
  readonly mailOfTen: number;
}

/**
 * An invented county for the benches of messages, where every voter has a printed ballot.
 * @param folder for the account file
 */
export async function seedCounty(
  database: Database,
  folder: string,
  { voters, optedIn, mailOfTen }: CountySize,
): Promise<AccountId> {
  const hour = new Date().getUTCHours();
  const clock = (h: number): string => `${String((h + 24) % 24).padStart(2, '0')}:00`;
  const file = join(folder, 'account.json');
  writeFileSync(
    file,
    JSON.stringify({
      subdomain: 'bench',
      name: 'Bench County Elections',
      county: 'Bench',
      state: 'FL',
      time_zone: 'Etc/UTC',
      languages: ['english', 'spanish'],
      contact_phone: '5555550100',
      contact_email: 'elections@bench.example',
      // What is measured is our own speed.
      sending_limits: { sms: { per_second: 1_000_000 } },
      // Open now, whatever the time of the run.
      quiet_hours: { start: clock(hour - 2), end: clock(hour + 6) },
    }),
  );
  const applied = await applyAccountFile(database, file);
  if (!applied.ok) throw new Error(JSON.stringify(applied.problems));
  const { accountId } = applied;
  const today = new Date().toISOString().slice(0, 10);
  const election = { number: '1', name: 'General Election', electionDate: today, isActive: true };
  await database.transaction((tx) => saveElection(tx, accountId, election));
  await database.transaction(async (tx) => {
    await sql`insert into voters (account_id, registration_id, firstname, lastname, birthdate, zipcode)
      select ${accountId}, 'B' || n, 'Voter', 'Number ' || n, '1980-01-01', '32601' from generate_series(1, ${voters}::int) n`.execute(
      tx,
    );
    await sql`insert into contact_preferences (account_id, voter_id, language_preference)
      select account_id, voter_id, case when voter_id / 10 % 5 = 0 then 'spanish' end
      from voters order by voter_id limit ${optedIn}`.execute(tx);
    await sql`insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
      select account_id, voter_id, case when voter_id % 10 < ${mailOfTen} then 'email' else 'sms' end,
        case when voter_id % 10 < ${mailOfTen} then 'voter' || voter_id || '@mail.example' else '+1555' || lpad(voter_id::text, 7, '0') end,
        'proven', true
      from contact_preferences`.execute(tx);
    await sql`insert into consents (account_id, voter_id, channel, address, action, source, wording)
      select account_id, voter_id, channel, address, 'confirmed', 'bench', 'bench' from contact_channels`.execute(
      tx,
    );
    await sql`insert into ballots (account_id, voter_id, election_id, current_status)
      select v.account_id, v.voter_id, e.election_id, 'printed' from voters v, elections e`.execute(
      tx,
    );
  });
  await sql`analyze`.execute(database.system);
  return accountId;
}

/**
 * Records a file's changes of status by hand, as an import does.
 * @param after the ballot before the first that changes
 */
export async function recordChanges(
  tx: Tx,
  accountId: AccountId,
  count: number,
  after: number,
  from: string,
  to: string,
): Promise<ImportId> {
  const { rows } = await sql<{ import_id: ImportId }>`
    insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at, rows_read, rows_refused, report)
    values (${accountId}, 'bench', 'bench.csv', '\\x00', 'done', 'operator:bench', now(), now(), ${count}, 0, '{}') returning import_id`.execute(
    tx,
  );
  const [added] = rows;
  if (!added) throw new Error('The import was not added.');
  const importId = added.import_id;
  await sql`create temp table changed_ballots on commit drop as
    with added as (insert into ballot_events (account_id, ballot_id, kind, status, occurred_on, import_id)
      select account_id, ballot_id, 'office', ${to}, current_date, ${importId}::bigint from ballots
      where ballot_id > ${after} order by ballot_id limit ${count} returning ballot_id, event_id)
    select ballot_id, event_id, ${from}::text as old_status, ${to}::text as new_status, election_id, current_date as occurred_on
    from added join ballots using (ballot_id)`.execute(tx);
  await sql`update ballots b set current_status = new_status, current_event_id = event_id from changed_ballots c
    where b.ballot_id = c.ballot_id`.execute(tx);
  return importId;
}
