import type { Connection } from '../../run/import-store.ts';
import type { Counts } from '../../run/report.ts';
import type { BallotTask } from '../ballots/merge-store.ts';
import { tellScans } from '../scans/merge-store.ts';
import type { Applied } from '../voters/merge-store.ts';

export interface MailPieceTask extends BallotTask {
  /** A row says that its ballot's envelope is printed. */
  readonly arePrinted: boolean;
}

/**
 * Ties the staged rows' barcodes to ballots, set-wise. Where a barcode was another ballot's, this file's word counts:
 * serial numbers come round again after 45 days. Scans that came before their piece are told now.
 */
export async function applyMailPieces(
  connection: Connection,
  task: MailPieceTask,
): Promise<Applied> {
  const { accountId, importId } = task;
  const before = await countPieces(connection, accountId);
  await findBallots(connection, task);
  const { refused, superseded, pieces } = await judgePieces(connection);
  const { added, changed } = await writePieces(connection, accountId, importId);
  await connection.query(
    'create temp table told_codes on commit drop as select distinct tracking_code from changed_pieces',
  );
  const prints = task.arePrinted ? await tellPrints(connection, accountId, importId) : 0;
  const events = prints + (await tellScans(connection, task));
  return {
    added,
    changed,
    refused,
    superseded,
    unchanged: pieces - added - changed,
    events,
    before,
    after: await countPieces(connection, accountId),
    refusedRows: 'select line, problem from refused_lines',
  };
}

/** Table `told_pieces`: every barcode of the file with its ballot, or why it has none. */
async function findBallots(
  connection: Connection,
  { accountId, idLabel }: BallotTask,
): Promise<void> {
  const account = Number(accountId);
  const unknown = `${idLabel} is not on the roll: import the voter file first`;
  const ways = ['outbound', 'inbound', 'undirected'] as const;
  const rows = ways.map(
    (way) =>
      `select line, registration_id, election_id::bigint as election_id, ballot_number, printed_on, mailed_on,
        ${way} as tracking_code, ${way === 'undirected' ? 'null' : `'${way}'`} as direction
      from staged where ${way} is not null`,
  );
  await connection.query(
    `create temp table told_pieces on commit drop as
    with told as (${rows.join(' union all ')}),
    matched as (
      select s.line, s.tracking_code, s.direction, s.printed_on, s.mailed_on, v.voter_id,
        count(b.ballot_id) as ballots, min(b.ballot_id) as only_ballot,
        min(b.ballot_id) filter (where p.mail_piece_id is not null) as known_ballot,
        count(p.mail_piece_id) as known_ballots
      from told s
      left join voters v on v.account_id = ${account} and v.registration_id = s.registration_id
      left join ballots b on b.account_id = ${account} and b.election_id = s.election_id
        and b.voter_id = v.voter_id and (s.ballot_number is null or b.ballot_number = s.ballot_number)
      left join mail_pieces p on p.account_id = ${account} and p.tracking_code = s.tracking_code
        and p.ballot_id = b.ballot_id
      group by 1, 2, 3, 4, 5, 6
    )
    select line, tracking_code, direction, printed_on, mailed_on,
      case when ballots = 1 then only_ballot when known_ballots = 1 then known_ballot end as ballot_id,
      case when voter_id is null then '${unknown.replaceAll("'", "''")}'
        when ballots = 0 then 'the voter has no such ballot in this election: import the ballot file first'
        when ballots > 1 and known_ballots <> 1
          then 'the voter has several ballots in this election: give their numbers in ballot_number'
      end as problem
    from matched`,
  );
}

/** Tables `refused_lines`, and `pieces` of the others, each barcode once. */
async function judgePieces(
  connection: Connection,
): Promise<{ refused: number; superseded: number; pieces: number }> {
  // Whose scans would they be? Showing one voter another's envelope is worse than showing none.
  await connection.query(
    `create temp table refused_lines on commit drop as
    with shared as (
      select tracking_code, case when count(distinct ballot_id) > 1
        then 'the barcode is given for several ballots' else 'the barcode is given for both ways' end as problem
      from told_pieces where problem is null group by 1
      having count(distinct ballot_id) > 1 or count(distinct direction) > 1
    )
    select line, min(coalesce(t.problem, s.problem)) as problem
    from told_pieces t left join shared s on s.tracking_code = t.tracking_code and t.problem is null
    where t.problem is not null or s.problem is not null group by 1`,
  );
  await connection.query(
    `create temp table pieces on commit drop as
    select tracking_code, ballot_id, max(direction) as direction, max(mailed_on) as mailed_on, count(*) as times
    from told_pieces where line not in (select line from refused_lines) group by 1, 2`,
  );
  const { rows } = await connection.query<{ refused: number; superseded: number; pieces: number }>(
    `select (select count(*) from refused_lines) as refused,
      coalesce(sum(times - 1), 0)::bigint as superseded, count(*) as pieces from pieces`,
  );
  return rows[0] ?? { refused: 0, superseded: 0, pieces: 0 };
}

async function writePieces(
  connection: Connection,
  accountId: number,
  importId: number,
): Promise<{ added: number; changed: number }> {
  await connection.query(
    `create temp table changed_pieces on commit drop as
    select f.tracking_code, f.ballot_id, f.direction, f.mailed_on, p.mail_piece_id,
      p.mail_piece_id < newest.mail_piece_id as is_overtaken
    from pieces f
    left join mail_pieces p on p.account_id = $1 and p.tracking_code = f.tracking_code and p.ballot_id = f.ballot_id
    left join (
      select tracking_code, max(mail_piece_id) as mail_piece_id from mail_pieces
      where account_id = $1 and tracking_code in (select tracking_code from pieces) group by 1
    ) newest on newest.tracking_code = f.tracking_code
    where p.mail_piece_id is null or p.mail_piece_id < newest.mail_piece_id
      or p.direction is distinct from f.direction
      or p.mailed_on is distinct from coalesce(f.mailed_on, p.mailed_on)`,
    [accountId],
  );
  const changed = await connection.query(
    `update mail_pieces p set direction = c.direction, mailed_on = coalesce(c.mailed_on, p.mailed_on), import_id = $1
    from changed_pieces c where p.mail_piece_id = c.mail_piece_id`,
    [importId],
  );
  // A barcode is the piece's that was told last, which its ID says.
  await connection.query(
    `update mail_pieces p set mail_piece_id = default
    from changed_pieces c where p.mail_piece_id = c.mail_piece_id and c.is_overtaken`,
  );
  const added = await connection.query(
    `insert into mail_pieces (account_id, tracking_code, ballot_id, direction, mailed_on, import_id)
    select $1, tracking_code, ballot_id, direction, mailed_on, $2 from changed_pieces
    where mail_piece_id is null order by tracking_code, ballot_id`,
    [accountId, importId],
  );
  return { added: added.rowCount ?? 0, changed: changed.rowCount ?? 0 };
}

/**
 * That envelopes are printed, once for each ballot and day. Without a day it is news only of a ballot that is not known
 * to be further.
 */
async function tellPrints(
  connection: Connection,
  accountId: number,
  importId: number,
): Promise<number> {
  await connection.query(
    `create temp table new_prints on commit drop as
    select p.* from (
      select ballot_id, max(printed_on) as printed_on, min(line) as line from told_pieces
      where line not in (select line from refused_lines) group by 1
    ) p
    join ballots b on b.ballot_id = p.ballot_id
    where (p.printed_on is not null or coalesce(b.current_status, 'requested') = 'requested')
      and not exists (
        select from ballot_events e where e.ballot_id = p.ballot_id and e.kind = 'print'
          and (p.printed_on is null or e.occurred_on = p.printed_on))`,
  );
  const { rowCount } = await connection.query(
    `insert into ballot_events (account_id, ballot_id, kind, status, occurred_on, import_id, source_line)
    select $1, ballot_id, 'print', 'printed', printed_on, $2, line from new_prints order by ballot_id`,
    [accountId, importId],
  );
  await connection.query(
    `insert into told_codes select tracking_code from told_pieces
    where ballot_id in (select ballot_id from new_prints) except select tracking_code from told_codes`,
  );
  return rowCount ?? 0;
}

/** Mail pieces by election and direction, as `217 outbound`. */
async function countPieces(connection: Connection, accountId: number): Promise<Counts> {
  const { rows } = await connection.query<{ name: string; count: number }>(
    `select e.number || ' ' || coalesce(p.direction, 'of unknown direction') as name, count(*) as count
    from mail_pieces p join ballots b on b.ballot_id = p.ballot_id
    join elections e on e.election_id = b.election_id
    where p.account_id = $1 group by 1 order by 1`,
    [accountId],
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
