import type { BallotStatus } from '@ballot-beacon/contract/statuses';
import { sql } from 'kysely';
import { dateInWords } from '../../../../platform/clock.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import {
  analyzeTempTable,
  defineTempTable,
  fillTempTable,
} from '../../../../platform/temp-tables.ts';
import { isStanding } from '../../../ballots/index.ts';
import type { Applied, ExampleRow, GateReason, Judgment, KindTask } from '../kind.ts';
import { judgedScans } from './events-store.ts';
import {
  type BusyDay,
  fewReturns,
  fewScans,
  judgeScanNews,
  returningShare,
  type ScanFault,
  type ScanNews,
} from './gate-rules.ts';
import { newScans, type ScanSize } from './merge-store.ts';

/** A scan beside the others of its envelope. */
const lookedAt = {
  scan_id: 'bigint',
  tracking_code: 'text',
  ballot_id: 'bigint',
  direction: 'text',
  status: 'text',
  raw_status: 'text',
  occurred_on: 'date',
  is_backwards: 'boolean',
  /** The same machine's reading is known, at the same second of another day. */
  is_redated: 'boolean',
} as const;

/** All scans of the ballots looked at. */
const orderedScans = defineTempTable('ordered_scans', { import_id: 'bigint', ...lookedAt });

/** By the office's records: the first day of mailing, and the first on which the ballot was back since the last. */
const officeDays = defineTempTable('office_days', {
  ballot_id: 'bigint',
  sent_on: 'date',
  back_on: 'date',
});

/** The scans that the file brings of known envelopes, each beside the office's records. */
const scanNews = defineTempTable('scan_news', {
  ...lookedAt,
  ...officeDays.columns,
  is_off: 'boolean',
});

/** The office has the envelope. Of a vote in person it may still be on its way. */
const backStatuses: readonly BallotStatus[] = [
  'returned',
  'accepted',
  'counted',
  'rejected',
  'rejected-curable',
  'not-counted',
];

/** Of more, only the scans of some ballots are looked at: as many as show what is odd. */
const mostJudged = 50_000;

/** An office may list as mailed what has been in the mail for days, and as back what comes days later. */
const daysOff = 7;

/** Judges what USPS is said to have seen, before a voter sees it. The account's first scans are compared with no others. */
export async function judgeScans(
  tx: Tx,
  { importId }: KindTask,
  { added, changed, size: { newestDay, isLoaded } }: Applied<ScanSize>,
): Promise<Judgment> {
  const learned = { news: {}, listed: null, elections: [], newestDay };
  // Of so few nothing can be odd, and most pushes are of a few.
  if (added + changed <= fewScans) return { reasons: [], learned };
  await gatherNews(tx, importId);
  const news: ScanNews = {
    ...(await countNews(tx)),
    ...(await countRephased(tx, isLoaded)),
    busiest: await findBusiestDay(tx, importId),
  };
  const reasons: GateReason[] = [];
  for (const finding of judgeScanNews(news))
    reasons.push({ ...finding, examples: await readExamples(tx, finding.code, news.busiest) });
  return { reasons, learned };
}

async function gatherNews(tx: Tx, importId: KindTask['importId']): Promise<void> {
  await analyzeTempTable(tx, judgedScans, ['ballot_id', 'scan_id', 'import_id']);
  const every = sql`(select 1 + count(*) filter (where import_id = ${importId}) / ${sql.lit(mostJudged)} from ${judgedScans})`;
  await fillTempTable(
    tx,
    orderedScans,
    sql`
    select *, max(place) over (partition by tracking_code order by scanned_at
        range between unbounded preceding and interval '1 second' preceding) > place as is_backwards,
      min(scan_id) over (partition by tracking_code, op_code, mail_phase, facility_zip, scanned_at::time) < scan_id as is_redated
    from (
      select s.*, m.tracking_code, m.op_code, m.mail_phase, m.facility_zip,
        case when s.kind = 'scan' then ${placeOf('m.mail_phase')} end as place
      from ${judgedScans} s join mail_scans m on m.scan_id = s.scan_id
      where s.status is not null and s.ballot_id % ${every} = 0
    ) placed`,
  );
  // Without statistics the planner expects a few, and joins each with all others.
  await analyzeTempTable(tx, orderedScans, ['ballot_id', 'import_id']);
  await gatherOfficeDays(tx, importId);
  await fillTempTable(
    tx,
    scanNews,
    sql`
    select s.scan_id, s.tracking_code, s.ballot_id, s.direction, s.status, s.raw_status, s.occurred_on, o.sent_on, o.back_on,
      coalesce(s.occurred_on < o.sent_on - ${sql.lit(daysOff)} or s.direction = 'inbound' and s.occurred_on < o.sent_on
        or s.occurred_on > o.back_on + ${sql.lit(daysOff)}, false) as is_off,
      coalesce(s.is_backwards, false) as is_backwards, s.is_redated
    from ${orderedScans} s left join ${officeDays} o on o.ballot_id = s.ballot_id
    where s.import_id = ${importId}`,
  );
}

/** Fills {@link officeDays} of the ballots with new scans. */
async function gatherOfficeDays(tx: Tx, importId: KindTask['importId']): Promise<void> {
  await fillTempTable(
    tx,
    officeDays,
    sql`
    with days as (
      select n.ballot_id, e.status, e.occurred_on,
        max(e.occurred_on) filter (where e.status in ('sent', 'reprinted')) over (partition by n.ballot_id) as last_sent_on
      from (select distinct ballot_id from ${orderedScans} where import_id = ${importId}) n
      join ballot_events e on e.ballot_id = n.ballot_id and e.kind = 'office' and ${isStanding(sql`e`)}
    )
    select ballot_id, min(occurred_on) filter (where status = 'sent') as sent_on,
      min(occurred_on) filter (where status = any(${backStatuses}::text[])
        and occurred_on >= coalesce(last_sent_on, occurred_on)) as back_on
    from days group by 1`,
  );
  await analyzeTempTable(tx, officeDays);
}

/** SQL of how far on its way an envelope is by a mail phase: 0 at the start, 4 delivered; null where the phase does not say. */
function placeOf(phase: string) {
  return sql.raw(`substring(lower(${phase}) from '^\\s*(?:phase\\s*)?([0-4])')::integer`);
}

type Counted = Omit<ScanNews, 'repeated' | 'rephased' | 'busiest'>;

async function countNews(tx: Tx): Promise<Counted> {
  const { rows } = await sql<Counted>`
    select count(*) as scans, count(*) filter (where is_off) as "offDays", count(*) filter (where is_redated) as redated,
      count(distinct tracking_code) as envelopes, count(distinct tracking_code) filter (where is_backwards) as backwards
    from ${scanNews}`.execute(tx);
  const [counts] = rows;
  if (!counts) throw new Error('A count has one row.');
  return counts;
}

/** Where a phase does not say, it is no other one. */
const isRephased = sql`${placeOf('mail_phase')} <> ${placeOf('was_phase')}`;

async function countRephased(
  tx: Tx,
  isLoaded: boolean,
): Promise<Pick<ScanNews, 'repeated' | 'rephased'>> {
  if (isLoaded) return { repeated: 0, rephased: 0 };
  const { rows } = await sql<Pick<ScanNews, 'repeated' | 'rephased'>>`
    select count(*) as repeated, count(*) filter (where ${isRephased}) as rephased
    from ${newScans} where was_phase <> '' and mail_phase <> ''`.execute(tx);
  return rows[0] ?? { repeated: 0, rephased: 0 };
}

async function findBusiestDay(tx: Tx, importId: KindTask['importId']): Promise<BusyDay | null> {
  const { rows } = await sql<Omit<BusyDay, 'known'> & { election_id: number }>`
    select n.occurred_on as day, l.election_id, l.number as election, count(distinct n.ballot_id) as ballots
    from (
      select ballot_id, min(occurred_on) as occurred_on, bool_or(import_id = ${importId}) as is_new from ${judgedScans}
      where status = 'return-in-transit' group by 1
    ) n join ballots b on b.ballot_id = n.ballot_id join elections l on l.election_id = b.election_id
    where n.is_new group by 1, 2, 3 order by 4 desc limit 1`.execute(tx);
  const [busiest] = rows;
  if (!busiest || busiest.ballots < fewReturns) return null;
  const { election_id, ...day } = busiest;
  // Counted no further than it takes: a push may not read all ballots of a county.
  const { rows: known } = await sql<{ count: number }>`
    select count(*) as count from (
      select from ballots where election_id = ${election_id} limit ${sql.lit(busiest.ballots * returningShare)}) counted
    -- sequential scan: of no more ballots than three times the file's own`.execute(tx);
  return { ...day, known: known[0]?.count ?? 0 };
}

const exampleCount = 5;

/** Of envelopes by their barcodes: the login that takes what USPS pushes may not read whose they are. */
async function readExamples(
  tx: Tx,
  fault: ScanFault,
  busiest: BusyDay | null,
): Promise<ExampleRow[]> {
  if (fault === 'scans-rephased') return readRephased(tx);
  const conditions = {
    'scans-off-days': sql`is_off`,
    'scans-redated': sql`is_redated`,
    'scans-backwards': sql`is_backwards`,
    'returns-at-once': sql`status = 'return-in-transit' and occurred_on = ${busiest?.day ?? null}::date`,
  } as const;
  const known = `coalesce(nullif(concat_ws(', ', 'mailed ' || ${dateInWords('sent_on')}, 'back ' || ${dateInWords('back_on')}), ''), 'no days known')`;
  const { rows } = await sql<ExampleRow>`
    select tracking_code as voter, ${sql.raw(known)} as "from",
      'scan of ' || ${sql.raw(dateInWords('occurred_on'))} || coalesce(' (' || nullif(raw_status, '') || ')', '') as "to", null as line
    from (select distinct on (tracking_code) * from ${scanNews} where ${conditions[fault]} order by tracking_code, scan_id) n
    order by scan_id limit ${sql.lit(exampleCount)}`.execute(tx);
  return rows;
}

async function readRephased(tx: Tx): Promise<ExampleRow[]> {
  const { rows } = await sql<ExampleRow>`
    select tracking_code as voter, 'phase ' || was_phase as "from", 'phase ' || mail_phase as "to", null as line
    from (select distinct on (tracking_code) * from ${newScans} where ${isRephased} order by tracking_code, scan_id) n
    order by scan_id limit ${sql.lit(exampleCount)}`.execute(tx);
  return rows;
}
