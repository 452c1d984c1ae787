import { sql } from 'kysely';
import type { AccountId, ImportId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import {
  createTempTable,
  defineTempTable,
  fillTempTable,
} from '../../../../platform/temp-tables.ts';
import { addEvents, isBallot, isStanding, ofNoScan } from '../../../ballots/index.ts';
import { addPieces, updatePieces } from '../../../mail-pieces/index.ts';
import type { Applied, Counts, KindTask, Staged } from '../kind.ts';
import { addScanEvents, touchedCodes } from '../scans/events-store.ts';
import { stagedPieces } from './rows.ts';

/** Every barcode of the file with its ballot, or why it has none. */
export const matchedPieces = defineTempTable('matched_mail_pieces', {
  line: 'bigint',
  tracking_code: 'text',
  direction: 'text',
  printed_on: 'date',
  mailed_on: 'date',
  ballot_id: 'bigint',
  problem: 'text',
});

const refusedPieces = defineTempTable('refused_mail_pieces', { line: 'bigint', problem: 'text' });

/** The barcodes that are not refused, each once. */
export const acceptedPieces = defineTempTable('accepted_mail_pieces', {
  tracking_code: 'text',
  ballot_id: 'bigint',
  direction: 'text',
  mailed_on: 'date',
  times: 'bigint',
});

/** Those of them that are not known as they are. */
export const changedPieces = defineTempTable('changed_mail_pieces', {
  tracking_code: 'text',
  ballot_id: 'bigint',
  direction: 'text',
  mailed_on: 'date',
  was_mailed_on: 'date',
  mail_piece_id: 'bigint',
  is_overtaken: 'boolean',
});

/** The ballots that the file reports as printed, and nothing did before. */
export const newPrints = defineTempTable('new_prints', {
  ballot_id: 'bigint',
  printed_on: 'date',
  line: 'bigint',
});

/**
 * Ties the staged rows' barcodes to ballots, set-wise. Where a barcode was another ballot's, this file's word counts:
 * serial numbers come round again after 45 days. Scans that came before their piece become events now.
 */
export async function mergeMailPieces(
  tx: Tx,
  { account, format, importId, today }: KindTask,
  { idLabel }: Staged,
): Promise<Applied<null>> {
  const { accountId, timeZone } = account;
  const of = { accountId, importId };
  const before = await countPieces(tx, accountId);
  await matchBallots(tx, accountId, idLabel);
  const { refused, superseded, pieces } = await judgePieces(tx);
  const { added, changed } = await writePieces(tx, of);
  await fillTempTable(tx, touchedCodes, sql`select distinct tracking_code from ${changedPieces}`);
  await createTempTable(tx, newPrints);
  const prints = format.row_means === 'printed' ? await addPrints(tx, of) : 0;
  const scans = await addScanEvents(tx, { ...of, timeZone, today });
  return {
    added,
    changed,
    refused,
    superseded,
    unchanged: pieces - added - changed,
    events: prints + scans,
    before,
    after: await countPieces(tx, accountId),
    refusedRows: refused > 0 ? refusedPieces : null,
    size: null,
  };
}

async function matchBallots(tx: Tx, accountId: AccountId, idLabel: string): Promise<void> {
  const account = sql.lit(Number(accountId));
  const unknown = sql.lit(
    `no voter has this ${idLabel}. Did Excel drop the leading zeros? Otherwise import the voter file first`,
  );
  const ways = ['outbound', 'inbound', 'undirected'] as const;
  const rows = ways.map(
    (way) => sql`
      select line, registration_id, election_id, ballot_number, printed_on, mailed_on, ${sql.ref(way)} as tracking_code,
        ${way === 'undirected' ? sql.lit(null) : sql.lit(way)} as direction
      from ${stagedPieces} where ${sql.ref(way)} is not null`,
  );
  await fillTempTable(
    tx,
    matchedPieces,
    sql`
    with barcodes as (${sql.join(rows, sql` union all `)}),
    matched as (
      select s.line, s.tracking_code, s.direction, s.printed_on, s.mailed_on, v.voter_id,
        count(b.ballot_id) as ballots, min(b.ballot_id) as only_ballot,
        min(b.ballot_id) filter (where p.mail_piece_id is not null) as known_ballot,
        count(p.mail_piece_id) as known_ballots
      from barcodes s
      left join voters v on v.account_id = ${account} and v.registration_id = s.registration_id
      left join ballots b on b.account_id = ${account} and b.election_id = s.election_id
        and b.voter_id = v.voter_id and (s.ballot_number is null or b.ballot_number = s.ballot_number)
        and ${isBallot(sql`b`)}
      left join mail_pieces p on p.account_id = ${account} and p.tracking_code = s.tracking_code
        and p.ballot_id = b.ballot_id
      group by 1, 2, 3, 4, 5, 6
    )
    select line, tracking_code, direction, printed_on, mailed_on,
      case when ballots = 1 then only_ballot when known_ballots = 1 then known_ballot end as ballot_id,
      case when voter_id is null then ${unknown}
        when ballots = 0 then 'the voter has no such ballot in this election: import the ballot file first'
        when ballots > 1 and known_ballots <> 1
          then 'the voter has several ballots in this election: give their numbers in ballot_number'
      end as problem
    from matched`,
  );
}

/** Fills {@link refusedPieces} and {@link acceptedPieces}. */
async function judgePieces(
  tx: Tx,
): Promise<{ refused: number; superseded: number; pieces: number }> {
  // Whose scans would they be? Showing one voter another's envelope is worse than showing none.
  await fillTempTable(
    tx,
    refusedPieces,
    sql`
    with shared as (
      select tracking_code, case when count(distinct ballot_id) > 1
        then 'the barcode is given for several ballots' else 'the barcode is given for both ways' end as problem
      from ${matchedPieces} where problem is null group by 1
      having count(distinct ballot_id) > 1 or count(distinct direction) > 1
    )
    select line, min(coalesce(t.problem, s.problem)) as problem
    from ${matchedPieces} t left join shared s on s.tracking_code = t.tracking_code and t.problem is null
    where t.problem is not null or s.problem is not null group by 1`,
  );
  await fillTempTable(
    tx,
    acceptedPieces,
    sql`
    select tracking_code, ballot_id, max(direction) as direction, max(mailed_on) as mailed_on, count(*) as times
    from ${matchedPieces} where line not in (select line from ${refusedPieces}) group by 1, 2`,
  );
  const { rows } = await sql<{ refused: number; superseded: number; pieces: number }>`
    select (select count(*) from ${refusedPieces}) as refused,
      coalesce(sum(times - 1), 0)::bigint as superseded, count(*) as pieces from ${acceptedPieces}`.execute(
    tx,
  );
  return rows[0] ?? { refused: 0, superseded: 0, pieces: 0 };
}

interface PieceImport {
  readonly accountId: AccountId;
  readonly importId: ImportId;
}

async function writePieces(tx: Tx, of: PieceImport): Promise<{ added: number; changed: number }> {
  const { accountId, importId } = of;
  await fillTempTable(
    tx,
    changedPieces,
    sql`
    select f.tracking_code, f.ballot_id, f.direction, f.mailed_on, p.mailed_on as was_mailed_on, p.mail_piece_id,
      p.mail_piece_id < newest.mail_piece_id as is_overtaken
    from ${acceptedPieces} f
    left join mail_pieces p on p.account_id = ${accountId} and p.tracking_code = f.tracking_code and p.ballot_id = f.ballot_id
    left join (
      select tracking_code, max(mail_piece_id) as mail_piece_id from mail_pieces
      where account_id = ${accountId} and tracking_code in (select tracking_code from ${acceptedPieces}) group by 1
    ) newest on newest.tracking_code = f.tracking_code
    where p.mail_piece_id is null or p.mail_piece_id < newest.mail_piece_id
      or p.direction is distinct from f.direction
      or p.mailed_on is distinct from coalesce(f.mailed_on, p.mailed_on)`,
  );
  const changed = await updatePieces(
    tx,
    importId,
    sql`select * from ${changedPieces} where mail_piece_id is not null`,
  );
  const added = await addPieces(
    tx,
    of,
    sql`select * from ${changedPieces} where mail_piece_id is null order by tracking_code, ballot_id`,
  );
  return { added, changed };
}

/**
 * That envelopes are printed, once for each ballot and day. Without a day it is news only of a ballot that is not known
 * to be further.
 */
async function addPrints(tx: Tx, of: PieceImport): Promise<number> {
  await sql`
    insert into ${newPrints}
    select p.ballot_id, p.printed_on, p.line from (
      select ballot_id, max(printed_on) as printed_on, min(line) as line from ${matchedPieces}
      where line not in (select line from ${refusedPieces}) group by 1
    ) p
    join ballots b on b.ballot_id = p.ballot_id
    where (p.printed_on is not null or coalesce(b.current_status, 'requested') = 'requested')
      and not exists (
        select from ballot_events e where e.ballot_id = p.ballot_id and e.kind = 'print' and ${isStanding(sql`e`)}
          and (p.printed_on is null or e.occurred_on = p.printed_on))`.execute(tx);
  const added = await addEvents(
    tx,
    of,
    sql`
    select null::bigint as event_id, ballot_id, 'print' as kind, 'printed' as status, null as raw_status,
      printed_on as occurred_on, null::timestamptz as occurred_at, null as reason_code, null as reason,
      ${ofNoScan}, line as source_line
    from ${newPrints} order by ballot_id`,
  );
  await sql`
    insert into ${touchedCodes} select tracking_code from ${matchedPieces}
    where ballot_id in (select ballot_id from ${newPrints}) except select tracking_code from ${touchedCodes}`.execute(
    tx,
  );
  return added;
}

/** Mail pieces by election and direction, as `217 outbound`. */
async function countPieces(tx: Tx, accountId: AccountId): Promise<Counts> {
  const { rows } = await sql<{ name: string; count: number }>`
    select e.number || ' ' || coalesce(p.direction, 'of unknown direction') as name, count(*) as count
    from mail_pieces p join ballots b on b.ballot_id = p.ballot_id
    join elections e on e.election_id = b.election_id
    where p.account_id = ${accountId} group by 1 order by 1`.execute(tx);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
