import { sql } from 'kysely';
import { dateInWords } from '../../../../platform/clock.ts';
import type { AccountId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import {
  analyzeTempTable,
  defineTempTable,
  fillTempTable,
} from '../../../../platform/temp-tables.ts';
import { isStanding } from '../../../ballots/index.ts';
import { readRecentCounts } from '../../run/recent-store.ts';
import type { ExampleRow, GateReason, Judgment, KindTask } from '../kind.ts';
import { countPieceNews, judgePieceNews, type PieceFault, type PieceNews } from './gate-rules.ts';
import { acceptedPieces, changedPieces, matchedPieces, newPrints } from './merge-store.ts';

/** The rows that change a barcode or report a print, each beside what was known. */
const pieceChanges = defineTempTable('piece_changes', {
  line: 'bigint',
  registration_id: 'text',
  tracking_code: 'text',
  is_new: 'boolean',
  printed_on: 'date',
  was_printed_on: 'date',
  mailed_on: 'date',
  was_mailed_on: 'date',
  election_date: 'date',
  /** The barcode known on this ballot, which the file no longer lists. */
  other_code: 'text',
  /** The voter on whose ballot this barcode is. */
  other_voter: 'text',
});

/** USPS lets a serial number be used again after so many days. */
const daysOfBarcode = 45;

/** A mail house may name the day on which it will bring the envelopes to USPS. */
const daysPlanned = 14;

/** SQL over {@link pieceChanges}. */
function faultConditions(today: string): Record<PieceFault, string> {
  const day = `'${today}'::date`;
  const isOff = (column: string) =>
    `${column} < election_date - 300 or ${column} > election_date + 60`;
  return {
    'dates-off': `printed_on > ${day} or mailed_on > ${day} + ${daysPlanned} or ${isOff('printed_on')} or ${isOff('mailed_on')}`,
    'other-dates': 'printed_on <> was_printed_on or mailed_on <> was_mailed_on',
    'other-barcodes': 'is_new and other_code is not null',
    'barcodes-moved': 'other_voter is not null',
  };
}

/** Judges what a mail house's file would change, before a voter sees it. */
export async function judgeMailPieces(tx: Tx, task: KindTask): Promise<Judgment> {
  const { account, today, importId } = task;
  await gatherChanges(tx, account.accountId, task);
  const faults = faultConditions(today);
  const news = await countNews(tx, faults);
  const recent = await readRecentCounts(tx, account, 'pieces', { today, before: importId });
  const reasons: GateReason[] = [];
  for (const finding of judgePieceNews(news, recent))
    reasons.push({ ...finding, examples: await readExamples(tx, finding.code, faults) });
  const pieces = countPieceNews(news);
  return {
    reasons,
    learned: { news: {}, listed: null, elections: [], newestDay: null, pieces },
  };
}

async function gatherChanges(
  tx: Tx,
  accountId: AccountId,
  { importId, today }: KindTask,
): Promise<void> {
  // Scans are joined one by one. Without their sizes, so would be the envelopes of a whole election, each with all others.
  for (const table of [matchedPieces, changedPieces, acceptedPieces, newPrints])
    await analyzeTempTable(tx, table);
  await fillTempTable(
    tx,
    pieceChanges,
    sql`
    with others as (
      -- sequential scan: a file of a whole election changes all of its envelopes
      select c.tracking_code, c.ballot_id, min(p.tracking_code) as other_code from ${changedPieces} c
      join mail_pieces p on p.ballot_id = c.ballot_id and p.tracking_code <> c.tracking_code
        and p.direction is not distinct from c.direction and p.import_id is distinct from ${importId}::bigint
      left join ${acceptedPieces} a on a.tracking_code = p.tracking_code
      where c.mail_piece_id is null and a.tracking_code is null group by 1, 2
    ), holders as (
      select c.tracking_code, c.ballot_id, min(o.registration_id) as other_voter from ${changedPieces} c
      join mail_pieces p on p.account_id = ${accountId} and p.tracking_code = c.tracking_code and p.ballot_id <> c.ballot_id
      left join imports i on i.import_id = p.import_id
      join ballots b on b.ballot_id = p.ballot_id join voters o on o.voter_id = b.voter_id
      where coalesce(p.mailed_on, i.started_at::date, ${today}::date) > ${today}::date - ${sql.lit(daysOfBarcode)}
      group by 1, 2
    ), prints as (
      select n.ballot_id, n.line, n.printed_on, max(e.occurred_on) as was_printed_on from ${newPrints} n
      left join ballot_events e on e.ballot_id = n.ballot_id and e.kind = 'print'
        and e.import_id is distinct from ${importId}::bigint and ${isStanding(sql`e`)}
      group by 1, 2, 3
    )
    select m.line, v.registration_id, m.tracking_code, c.ballot_id is not null and c.mail_piece_id is null as is_new,
      n.printed_on, n.was_printed_on, c.mailed_on, c.was_mailed_on, el.election_date, t.other_code, h.other_voter
    from ${matchedPieces} m
    left join ${changedPieces} c on c.tracking_code = m.tracking_code and c.ballot_id = m.ballot_id
    left join others t on t.tracking_code = m.tracking_code and t.ballot_id = m.ballot_id
    left join holders h on h.tracking_code = m.tracking_code and h.ballot_id = m.ballot_id
    left join prints n on n.ballot_id = m.ballot_id and n.line = m.line
    join ballots b on b.ballot_id = m.ballot_id join voters v on v.voter_id = b.voter_id
    join elections el on el.account_id = ${accountId} and el.election_id = b.election_id
    where m.problem is null and (c.ballot_id is not null or n.ballot_id is not null)`,
  );
}

async function countNews(tx: Tx, faults: Record<PieceFault, string>): Promise<PieceNews> {
  const count = (fault: PieceFault) => sql.raw(`count(*) filter (where ${faults[fault]})`);
  const { rows } = await sql<PieceNews>`
    select count(*) as changed, count(*) filter (where is_new) as added,
      (select count(*) from ${acceptedPieces}) - count(*) filter (where is_new) as known,
      ${count('dates-off')} as "datesOff", ${count('other-dates')} as redated,
      count(distinct (printed_on, was_printed_on, mailed_on, was_mailed_on)) filter (where ${sql.raw(faults['other-dates'])}) as ways,
      ${count('other-barcodes')} as "otherBarcodes", ${count('barcodes-moved')} as moved
    from ${pieceChanges}`.execute(tx);
  const [news] = rows;
  if (!news) throw new Error('A count has one row.');
  return news;
}

const exampleCount = 5;

async function readExamples(
  tx: Tx,
  fault: PieceFault,
  faults: Record<PieceFault, string>,
): Promise<ExampleRow[]> {
  const days = (prefix: string) =>
    `concat_ws(', ', 'printed ' || ${dateInWords(`${prefix}printed_on`)}, 'mailed ' || ${dateInWords(`${prefix}mailed_on`)})`;
  const shown: Record<PieceFault, readonly [from: string, to: string]> = {
    'dates-off': ["'no such day'", days('')],
    'other-dates': [days('was_'), days('')],
    'other-barcodes': ["'barcode ' || other_code", "'barcode ' || tracking_code"],
    'barcodes-moved': [
      "'barcode of another envelope'",
      "'barcode ' || tracking_code || ' of voter ' || other_voter",
    ],
  };
  const [from, to] = shown[fault];
  return readChanges(tx, { from, to, where: faults[fault] });
}

/** The first rows that change something. */
export function readFirstChanges(tx: Tx): Promise<ExampleRow[]> {
  return readChanges(tx, {
    from: "case when is_new then 'not listed' else 'known barcode' end",
    to: "'barcode ' || tracking_code",
    where: 'true',
  });
}

async function readChanges(
  tx: Tx,
  { from, to, where }: { readonly from: string; readonly to: string; readonly where: string },
): Promise<ExampleRow[]> {
  const { rows } = await sql<ExampleRow>`
    select registration_id as voter, ${sql.raw(from)} as "from", ${sql.raw(to)} as "to", line from ${pieceChanges}
    where ${sql.raw(where)} order by line limit ${exampleCount}`.execute(tx);
  return rows;
}
