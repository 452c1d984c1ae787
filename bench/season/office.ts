import { cpSync } from 'node:fs';
import { type Beacon, createBeacon } from '../../testing/beacon.ts';
import type { TestClock } from '../../testing/clock.ts';
import { copyTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { pg } from '../../testing/sql.ts';
import { type Delivery, namesElection, runoff } from './accidents.ts';
import type { Layout, Office } from './layout.ts';
import { electionDay, fixDeadline } from './model.ts';

const account = 'adams';
export const election = { number: '2026G', date: electionDay } as const;
export const lastElection = { number: '2025G', date: '2025-11-04' } as const;
/** A smaller election of the same season, which some offices have. */
export const specialElection = { number: '2026S', date: '2026-09-22' } as const;

interface GateReason {
  readonly code: string;
  readonly detail: string;
  /** Rows that it is about. */
  readonly rows: number;
  readonly examples: readonly { readonly voter: string; readonly from: string }[];
}

/** What became of a file, as the command line says. */
export interface Imported {
  readonly code: number | null;
  readonly importId: number | null;
  readonly state: string;
  /** The reasons for which it waits, or was refused. */
  readonly reasons: readonly string[];
  readonly gate: readonly GateReason[];
  /** What the clerk reads when the file did not come in. */
  readonly text: string;
}

/** Each ballot and voter by its key, with what the page is made of. */
export type Picture = ReadonlyMap<string, string>;

/** An installation with one office, reached only by its command line; the database is looked at, never written to, except for opting in and sending. */
export interface SeasonOffice {
  readonly beacon: Beacon;
  readonly db: TestDatabase;
  import(delivery: Pick<Delivery, 'name' | 'bytes' | 'election'>): Promise<Imported>;
  /** A second person approves what waits, until nothing waits. */
  release(importId: number): Promise<void>;
  see(): Promise<Picture>;
  /** Messages of the import that would go out, by voter, status and kind; then all of them are sent. */
  sendMessages(): Promise<readonly string[]>;
  /** The same installation at this moment, to try something on. */
  copy(): Promise<SeasonOffice>;
  close(): Promise<void>;
}

/** Creates the account with its elections. @param more fields of the account file */
export async function openOffice(
  db: TestDatabase,
  clock: TestClock,
  layout: Layout,
  more: object = {},
): Promise<SeasonOffice> {
  const office = createOffice(db, clock, layout);
  const { beacon } = office;
  const settings = {
    ...more,
    ...{ subdomain: account, name: 'Adams County Elections', county: 'Adams' },
    ...{ state: layout.state, time_zone: 'America/New_York', contact_phone: '(352) 555-0100' },
  };
  await beacon.do('account', 'apply', beacon.write('account.json', JSON.stringify(settings)));
  for (const { number, date } of [lastElection, specialElection, election, runoff]) {
    const isActive = String(number !== lastElection.number);
    const options = ['--number', number, '--name', `Election ${number}`, '--date', date];
    await beacon.do('election', 'set', '--account', account, ...options, '--active', isActive);
  }
  await beacon.do(
    ...['cure', 'set', '--account', account, '--election', election.number],
    ...['--by', `${fixDeadline} 17:00`, '--reason', 'The board decided so'],
  );
  return office;
}

function createOffice(db: TestDatabase, clock: TestClock, layout: Layout): SeasonOffice {
  const beacon = createBeacon(db.url, { clock });
  const { definition } = layout;
  const format = definition && beacon.write(`${layout.format}.json`, JSON.stringify(definition));
  const importFile: SeasonOffice['import'] = async ({ name, bytes, election: number }) => {
    const path = beacon.write(name, bytes);
    const options = [
      ...(number === undefined ? [] : ['--election', number]),
      ...(layout.of === 'voters' ? ['--full'] : []),
      ...(format === undefined ? [] : ['--format', format]),
    ];
    const result = await beacon.run('import', path, '--account', account, '--json', ...options);
    const found = result.stdout.startsWith('{') ? readAnswer(result.stdout) : {};
    return {
      code: result.code,
      importId: found.import_id ?? null,
      state: found.state ?? 'refused',
      reasons: [
        ...(found.gate ?? []).map(({ code, detail }) => `${code}: ${detail}`),
        ...(found.refusedBecause ? [found.refusedBecause] : []),
        ...(result.stdout.startsWith('{') ? [] : [result.stderr.trim()]),
      ],
      gate: (found.gate ?? []).map((reason) => ({ rows: 0, examples: [], ...reason })),
      text: result.stderr,
    };
  };
  return {
    beacon,
    db,
    import: importFile,
    async release(importId) {
      for (let time = 0; time < 2; time += 1) {
        const { code } = await beacon.run('release', String(importId), '--by', 'Bea Deputy');
        if (code !== 0) return;
      }
    },
    see: () => withClient(db, see),
    sendMessages: () => withClient(db, sendMessages),
    async copy() {
      const copy = createOffice(await copyTestDatabase(db), clock, layout);
      // The files that wait for approval are there.
      cpSync(beacon.folder, copy.beacon.folder, { recursive: true });
      return copy;
    },
    async close() {
      beacon.remove();
      await db.drop();
    },
  };
}

interface Answer {
  readonly import_id?: number | null;
  readonly state?: string;
  readonly gate?: readonly (Pick<GateReason, 'code' | 'detail'> & Partial<GateReason>)[] | null;
  readonly refusedBecause?: string | null;
}

function readAnswer(stdout: string): Answer {
  return JSON.parse(stdout) as Answer;
}

async function see(client: pg.Client): Promise<Picture> {
  const { rows } = await client.query<{ key: string; value: string }>(`
    with standing as (
      select * from ballot_events x where x.status is not null
        and not exists (select from withdrawn_imports w where w.import_id in (x.import_id, x.piece_import_id))
    )
    select concat_ws('|', 'ballot', v.registration_id, e.number, b.ballot_number) as key,
      concat_ws('|', case when ev.scan_id is null then b.current_status end, case when ev.scan_id is null then ev.occurred_on end,
        (select count(*) from standing x where x.ballot_id = b.ballot_id and x.scan_id is null)) as value
    from ballots b join voters v using (voter_id) join elections e using (election_id)
      left join ballot_events ev on ev.ballot_id = b.ballot_id and ev.event_id = b.current_event_id
    -- A ballot that only a corrected file had is not shown.
    where b.office_record is not null
    union all
    -- What USPS saw is true whatever else it saw: each on a line of its own.
    select concat_ws('|', 'seen', v.registration_id, b.ballot_number, x.kind, x.status, coalesce(x.occurred_at::date, x.occurred_on)), 'yes'
    from standing x join ballots b using (ballot_id) join voters v using (voter_id) where x.scan_id is not null group by 1
    union all
    -- A barcode belongs to the ballot that was reported last.
    select concat_ws('|', 'barcode', tracking_code),
      concat_ws('|', v.registration_id, b.ballot_number, p.direction, p.mailed_on)
    from mail_pieces p join ballots b using (ballot_id) join voters v using (voter_id)
    where p.mail_piece_id = (select max(mail_piece_id) from mail_pieces m where m.account_id = p.account_id and m.tracking_code = p.tracking_code)
    union all
    select concat_ws('|', 'voter', registration_id), concat_ws('|', firstname, lastname, birthdate,
      birthyear, zipcode, address, is_active, is_confidential) from voters`);
  return new Map(rows.map(({ key, value }) => [key, value]));
}

async function sendMessages(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ message: string }>(`
    with sent as (update messages set state = 'sent', sent_at = now() where state = 'created'
      returning kind, voter_id, status)
    select concat_ws('|', v.registration_id, s.kind, s.status) as message
    from sent s join voters v using (voter_id) order by 1`);
  return rows.map(({ message }) => message);
}

/** A share of the roll signs up for email, as the page stores it. */
export async function optIn(db: TestDatabase, everyNth: number): Promise<void> {
  await withClient(db, async (client) => {
    await client.query(`
      with chosen as (insert into contact_preferences (account_id, voter_id, language_preference, is_confirmed)
        select account_id, voter_id, 'english', true from voters where voter_id % ${everyNth} = 0
        returning account_id, voter_id),
      channels as (insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
        select account_id, voter_id, 'email', 'voter' || voter_id || '@example.org', 'proven', true
        from chosen returning account_id, voter_id, address)
      insert into consents (account_id, voter_id, channel, address, action, source, wording)
        select account_id, voter_id, 'email', address, 'confirmed', 'test', 'test' from channels`);
  });
}

/** A connection that is gone afterwards, because a database in use cannot be copied. */
async function withClient<T>(db: TestDatabase, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({ connectionString: db.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The office whose season it is. */
export const ownOffice = ({ state, idOf }: Layout): Office => ({
  ...{ county: 'Adams', state, idOf },
  ...{ electionNumber: election.number, electionDate: election.date },
});

/** The election to name with a file of this layout. */
export function electionOf(layout: Layout): { election?: string } {
  return namesElection(layout) ? {} : { election: election.number };
}
