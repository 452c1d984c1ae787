import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { applyAccountFile } from '../../server/src/modules/accounts/index.ts';
import type { AccountId } from '../../server/src/platform/ids.ts';
import type { Database } from '../../server/src/platform/postgres.ts';
import { sql } from '../../testing/sql.ts';

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

/**
 * Offices with a roll each, as varied as a real one: about 160,000 last names, 4,000 first names and 90 ZIP codes by
 * a steep distribution, and birth dates over 70 years. Each voter has a session and a ballot with four events.
 */
export async function seedOffices(
  database: Database,
  { offices, votersOfEach }: { readonly offices: number; readonly votersOfEach: number },
): Promise<SeededVoter[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'beacon-bench-seed-'));
  const voters: SeededVoter[] = [];
  try {
    for (let index = 1; index <= offices; index += 1) {
      const subdomain = `bench${index}`;
      const file = path.join(folder, `${subdomain}.json`);
      const office = { subdomain, name: `Bench ${index} Elections`, county: 'Bench', state: 'FL' };
      const contact = { contact_phone: '+13525550123', contact_email: 'help@bench.example' };
      const more = { time_zone: 'America/New_York', languages: ['english', 'spanish'] };
      writeFileSync(file, JSON.stringify({ ...office, ...contact, ...more }));
      const applied = await applyAccountFile(database, file);
      if (!applied.ok) throw new Error(JSON.stringify(applied.problems));
      await seedRoll(database, applied.accountId, votersOfEach);
      voters.push(...(await readSeeded(database, applied.accountId, subdomain)));
    }
    await sql`analyze`.execute(database.system);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return voters;
}

/** A name out of syllables by a number: the same number, the same name. */
const nameOf = (number: string) =>
  `initcap((array['ba','be','car','dan','el','fer','gar','ha','jo','ken','lu','mar','nor','os','pe','ram','san','tor','val','wil'])[1 + (${number}) % 20]
    || (array['a','an','den','ez','field','gan','i','kins','land','man','na','o','ris','son','ta','ton','ver','well','y','zo'])[1 + ((${number}) / 20) % 20]
    || (array['','ber','der','ga','la','mer','ni','ra','sa','ti','va','lo','ka','di','ro','no','mi','che','pa','re'])[1 + ((${number}) / 400) % 20]
    || (array['','s','n','l','r','t','d','k','m','x','sky','ov','ini','ez','ard','ell','son','ley','ing','er'])[1 + ((${number}) / 8000) % 20])`;

async function seedRoll(database: Database, accountId: AccountId, count: number): Promise<void> {
  const db = database.system;
  await sql`select setseed(${(accountId % 100) / 100})`.execute(db);
  // power() makes some names and ZIP codes common and most of them rare.
  await sql`
    insert into voters (account_id, registration_id, firstname, middlename, lastname, birthdate, zipcode, address, city, county, state)
    select ${accountId}, 'B' || n, ${sql.raw(nameOf('floor(4000 * power(a, 3))::int'))}, chr(65 + n % 26),
      ${sql.raw(nameOf('floor(160000 * power(b, 2))::int'))}, date '1936-01-01' + floor(25500 * c)::int,
      (32000 + floor(90 * power(d, 2))::int)::text, n || ' Oak St', 'Benchville', 'Bench', 'FL'
    from (select n, random() a, random() b, random() c, random() d from generate_series(1, ${count}::int) n) drawn`.execute(
    db,
  );
  await sql`
    insert into sessions (account_id, session_hash, voter_id, created_at, last_active_at, expires_at)
    select account_id, sha256(convert_to(lpad(account_id || '-' || voter_id, 43, 'x'), 'UTF8')), voter_id, now(), now(),
      now() + interval '12 hours' from voters where account_id = ${accountId}`.execute(db);
  await sql`
    with election as (
      insert into elections (account_id, number, name, election_date, is_active)
      values (${accountId}, 'G', 'General Election', current_date + 20, true) returning election_id),
    ballot as (
      insert into ballots (account_id, voter_id, election_id, current_status, office_record)
      select account_id, voter_id, election_id, 'returned', 'R' from voters, election where account_id = ${accountId}
      returning ballot_id)
    insert into ballot_events (account_id, ballot_id, kind, status, occurred_on)
    select ${accountId}, ballot_id, 'office', status, current_date - days
    from ballot, (values ('printed', 20), ('sent', 18), ('in-transit', 16), ('returned', 3)) as event(status, days)`.execute(
    db,
  );
}

async function readSeeded(
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
    from voters where account_id = ${accountId} order by voter_id`.execute(database.system);
  return rows.map(({ voter_id: voterId, ...typed }) => ({
    host: `${subdomain}.localhost`,
    accountId,
    voterId,
    secret: `${accountId}-${voterId}`.padStart(43, 'x'),
    typed,
  }));
}
