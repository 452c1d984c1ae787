import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { applyAccountFile, saveElection } from '../server/src/modules/accounts/index.ts';
import { enqueueMessages } from '../server/src/modules/notifications/index.ts';
import { readConfig } from '../server/src/platform/config.ts';
import type { AccountId, ImportId } from '../server/src/platform/ids.ts';
import type { Database } from '../server/src/platform/postgres.ts';
import { sql } from '../testing/sql.ts';

const voterCount = 400;

/** A county whose voters get updates, half of them by email and half by text. @returns its account */
export async function seedCounty(database: Database, folder: string): Promise<AccountId> {
  const file = join(folder, 'account.json');
  const hour = new Date().getUTCHours();
  const clock = (h: number): string => `${String((h + 24) % 24).padStart(2, '0')}:00`;
  writeFileSync(
    file,
    JSON.stringify({
      subdomain: 'chaos',
      name: 'Chaos County Elections',
      county: 'Chaos',
      state: 'FL',
      time_zone: 'Etc/UTC',
      contact_phone: '5555550100',
      contact_email: 'elections@chaos.example',
      // What is killed must be busy.
      sending_limits: { sms: { per_second: 100_000 } },
      quiet_hours: { start: clock(hour - 2), end: clock(hour + 6) },
    }),
  );
  const applied = await applyAccountFile(database, file);
  if (!applied.ok) throw new Error(JSON.stringify(applied.problems));
  const { accountId } = applied;
  const electionDate = new Date().toISOString().slice(0, 10);
  await database.transaction(async (tx) => {
    await saveElection(tx, accountId, {
      number: '1',
      name: 'General Election',
      electionDate,
      isActive: true,
    });
    await sql`insert into voters (account_id, registration_id, firstname, lastname)
      select ${accountId}, 'C' || n, 'Voter', 'Number ' || n from generate_series(1, ${voterCount}::int) n`.execute(
      tx,
    );
    await sql`insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
      select account_id, voter_id, case when voter_id % 2 = 0 then 'email' else 'sms' end,
        case when voter_id % 2 = 0 then 'voter' || voter_id || '@mail.example' else '+1555' || lpad(voter_id::text, 7, '0') end,
        'proven', true from voters`.execute(tx);
    await sql`insert into consents (account_id, voter_id, channel, address, action, source, wording)
      select account_id, voter_id, channel, address, 'confirmed', 'chaos', 'chaos' from contact_channels`.execute(
      tx,
    );
  });
  return accountId;
}

/** A file's changes, recorded by hand as an import does. */
export interface RecordedFile {
  readonly rows: number;
  /** How long ago voters could first know of it, as an interval of PostgreSQL. */
  readonly age?: string;
  /** SQL that writes ballots and events, and returns what the messages are about: the columns of `changed_ballots`. */
  changes(importId: ImportId): ReturnType<typeof sql>;
}

/** Records a file in one transaction, which also makes its messages. */
export async function recordFile(
  database: Database,
  accountId: AccountId,
  { rows: count, age = '0', changes }: RecordedFile,
): Promise<void> {
  const config = readConfig({ BASE_DOMAIN: 'localhost', DEFAULT_ACCOUNT: 'chaos' });
  await database.transaction(async (tx) => {
    const { rows } = await sql<{ import_id: ImportId }>`
      insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at, rows_read, rows_refused, report)
      values (${accountId}, 'chaos', 'chaos.csv', '\\x00', 'done', 'operator:chaos', now() - ${age}::interval, now(), ${count}, 0, '{}')
      returning import_id`.execute(tx);
    const [added] = rows;
    if (!added) throw new Error('The import was not added.');
    const importId = added.import_id;
    await sql`create temp table changed_ballots on commit drop as ${changes(importId)}`.execute(tx);
    await enqueueMessages(
      tx,
      config,
      { accountId, importId, rowsRead: count, isJudged: true },
      new Date(),
    );
  });
}

/** Of one status, new ballots of voters drawn at random. @param number their number, unique in the run */
export function addBallots(
  accountId: AccountId,
  importId: ImportId,
  {
    status,
    count,
    number,
  }: { readonly status: string; readonly count: number; readonly number: string },
): ReturnType<typeof sql> {
  return sql`
    with made as (insert into ballots (account_id, voter_id, election_id, ballot_number, current_status)
      select v.account_id, v.voter_id, e.election_id, ${number}, ${status} from voters v join contact_channels using (voter_id), elections e order by random() limit ${count}
      returning ballot_id, election_id),
    created as (insert into ballot_events (account_id, ballot_id, kind, status, occurred_on, import_id)
      select ${accountId}::integer, ballot_id, 'office', ${status}, current_date, ${importId}::bigint from made returning ballot_id, event_id)
    select ballot_id, event_id, null::text as old_status, ${status}::text as new_status, election_id, current_date as occurred_on
    from created join made using (ballot_id)`;
}

/**
 * Imports small changes one after the other. Every change is a ballot of its own, so that no message is overtaken by another
 * and each must arrive.
 */
export async function keepImporting(
  database: Database,
  accountId: AccountId,
  random: () => number,
  isOver: () => boolean,
): Promise<void> {
  for (let turn = 1; !isOver(); turn += 1) {
    const count = 5 + Math.floor(random() * 15);
    await recordFile(database, accountId, {
      rows: count,
      changes: (importId) =>
        addBallots(accountId, importId, { status: 'sent', count, number: `${turn}-${importId}` }),
    })
      // The database was killed meanwhile: all of this import is there or nothing of it; the next turn makes another.
      .catch(() => wait(100));
    await wait(50 + random() * 150);
  }
}
