import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { applyAccountFile } from '../../server/src/modules/accounts/index.ts';
import type { AccountId } from '../../server/src/platform/ids.ts';
import type { Database, Tx } from '../../server/src/platform/postgres.ts';
import { sql } from '../../testing/sql.ts';
import { drawVoters } from './roll.ts';

/** A voter as the generator asks: by the cookie of a session, or by what a person types. */
export interface SeededVoter {
  readonly host: string;
  readonly accountId: AccountId;
  readonly voterId: number;
  readonly secret: string;
  readonly typed: {
    readonly firstname: string;
    readonly lastname: string;
    readonly zipcode: string;
    /** `MM/DD/YYYY` */
    readonly birthdate: string;
  };
}

export interface SeedSize {
  readonly offices: number;
  readonly votersOfEach: number;
  /** How many of an office's voters are signed in, and returned: all, where left out. */
  readonly signedInOfEach?: number;
  /** A roll alone, for what reads nothing else. */
  readonly hasBallots?: boolean;
}

/**
 * Offices with a roll each, as varied as a real one ({@link drawVoters}). Each voter has a ballot with four events, unless the roll is wanted alone.
 *
 * @param database new, with the tree's schema: its voters and ballots are emptied, so that PostgreSQL need not log what is loaded
 */
export async function seedOffices(
  database: Database,
  { offices, votersOfEach, signedInOfEach = votersOfEach, hasBallots = true }: SeedSize,
): Promise<SeededVoter[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'beacon-bench-seed-'));
  const subdomains = new Map<AccountId, string>();
  try {
    for (let index = 1; index <= offices; index += 1) {
      const subdomain = `bench${index}`;
      subdomains.set(await addOffice(database, folder, subdomain, index), subdomain);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  await database.transaction(async (tx) => {
    // Neither foreign keys nor triggers are of use to rows that are right as they are made.
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`truncate voters, ballots, ballot_events cascade`.execute(tx);
    const restoreIndexes = [];
    for (const name of ['voters_by_login', 'voters_by_name'])
      restoreIndexes.push(await dropIndex(tx, name));
    for (const accountId of subdomains.keys()) {
      await seedRoll(tx, accountId, votersOfEach);
      if (hasBallots) await seedBallots(tx, accountId);
    }
    for (const restore of restoreIndexes) await restore();
  });
  // Not by way of `system`, which runs each statement in a transaction.
  await database.systemPool.query('vacuum analyze');
  const voters: SeededVoter[] = [];
  for (const [accountId, subdomain] of subdomains) {
    await signIn(database, accountId, Math.ceil(votersOfEach / signedInOfEach));
    voters.push(...(await readSignedIn(database, accountId, subdomain)));
  }
  await sql`analyze sessions`.execute(database.system);
  return voters;
}

async function addOffice(
  database: Database,
  folder: string,
  subdomain: string,
  index: number,
): Promise<AccountId> {
  const file = path.join(folder, `${subdomain}.json`);
  const office = { subdomain, name: `Bench ${index} Elections`, county: 'Bench', state: 'FL' };
  const contact = { contact_phone: '+13525550123', contact_email: 'help@bench.example' };
  const more = { time_zone: 'America/New_York', languages: ['english', 'spanish'] };
  writeFileSync(file, JSON.stringify({ ...office, ...contact, ...more }));
  const applied = await applyAccountFile(database, file);
  if (!applied.ok) throw new Error(JSON.stringify(applied.problems));
  return applied.accountId;
}

/** An index of scattered values is quicker made at the end. @returns makes it anew */
async function dropIndex(tx: Tx, name: string): Promise<() => Promise<unknown>> {
  const { rows } = await sql<{ definition: string }>`
    select indexdef as definition from pg_indexes where indexname = ${name}`.execute(tx);
  await sql`drop index ${sql.ref(name)}`.execute(tx);
  return () => sql.raw(rows[0]?.definition ?? '').execute(tx);
}

async function seedRoll(tx: Tx, accountId: AccountId, voters: number): Promise<void> {
  await sql`select setseed(${(accountId % 100) / 100})`.execute(tx);
  await sql`
    insert into voters (account_id, registration_id, firstname, middlename, lastname, suffix, birthdate, zipcode, address, city, county, state)
    select ${accountId}, 'B' || lpad(number::text, 9, '0'), firstname, middlename, lastname, suffix, birthdate, zipcode,
      number % 9999 || ' Oak St', 'Benchville', 'Bench', 'FL'
    from (${sql.raw(drawVoters(voters))}) drawn`.execute(tx);
}

async function seedBallots(tx: Tx, accountId: AccountId): Promise<void> {
  await sql`
    insert into elections (account_id, number, name, election_date, is_active)
    values (${accountId}, 'G', 'General Election', current_date + 20, true)`.execute(tx);
  await sql`
    insert into ballots (account_id, voter_id, election_id, current_status, office_record)
    select account_id, voter_id, election_id, 'returned', 'R' from voters join elections using (account_id)
    where account_id = ${accountId} order by voter_id`.execute(tx);
  await sql`
    insert into ballot_events (account_id, ballot_id, kind, status, occurred_on)
    select account_id, ballot_id, 'office', status, current_date - days
    from ballots, (values ('printed', 20), ('sent', 18), ('in-transit', 16), ('returned', 3)) as event(status, days)
    where account_id = ${accountId} order by ballot_id, days desc`.execute(tx);
}

/** A session for every so many voters, whose secret their numbers are. */
async function signIn(database: Database, accountId: AccountId, every: number): Promise<void> {
  await sql`
    insert into sessions (account_id, session_hash, voter_id, created_at, last_active_at, expires_at)
    select account_id, sha256(convert_to(lpad(account_id || '-' || voter_id, 43, 'x'), 'UTF8')), voter_id, now(), now(),
      now() + interval '12 hours'
    from voters where account_id = ${accountId} and voter_id % ${every}::int = 0`.execute(
    database.system,
  );
}

/** Without namesakes of one birth day and ZIP code, whose details are not enough to sign in. */
async function readSignedIn(
  database: Database,
  accountId: AccountId,
  subdomain: string,
): Promise<SeededVoter[]> {
  const { rows } = await sql<{
    voter_id: number;
    firstname: string;
    lastname: string;
    zipcode: string;
    birthdate: string;
  }>`
    select voter_id, firstname, lastname, zipcode, to_char(birthdate, 'MM/DD/YYYY') as birthdate
    from sessions join voters v using (voter_id)
    where sessions.account_id = ${accountId} and not exists (
      select from voters other
      where (other.birthdate, other.zipcode, other.account_id) = (v.birthdate, v.zipcode, v.account_id)
        and (other.firstname, other.lastname) = (v.firstname, v.lastname) and other.voter_id <> v.voter_id)
    order by voter_id`.execute(database.system);
  return rows.map(({ voter_id: voterId, ...typed }) => ({
    host: `${subdomain}.localhost`,
    accountId,
    voterId,
    secret: `${accountId}-${voterId}`.padStart(43, 'x'),
    typed,
  }));
}
