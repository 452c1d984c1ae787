import { sql } from 'kysely';
import { formatDate } from '../../../platform/clock.ts';
import type { ImportId } from '../../../platform/ids.ts';
import type { Tx } from '../../../platform/postgres.ts';
import type { AccountId } from '../../accounts/index.ts';
import { changedBallots } from '../../ballots/index.ts';
import { voterChanges } from '../kinds/voters/merge-store.ts';
import { voterColumns } from '../kinds/voters/rows.ts';

/** What a file would change of one voter, or of the voter's ballot. */
export interface SampleChange {
  /** Registration ID. */
  readonly voter: string;
  /** Empty for a confidential voter. */
  readonly name: string;
  readonly changes: readonly {
    readonly what: string;
    readonly from: string;
    readonly to: string;
  }[];
}

const samples = sql.lit(20);

/**
 * Some of what an import wrote, of each kind of change alike; within its transaction, before it ends.
 * Of a confidential voter there is the registration ID alone.
 */
export async function readSampleChanges(
  tx: Tx,
  accountId: AccountId,
  importId: ImportId,
): Promise<SampleChange[]> {
  if (await isThere(tx, 'changed_ballots')) return readBallotSamples(tx);
  if (await isThere(tx, 'voter_changes')) return readVoterSamples(tx, accountId, importId);
  return readFirstVoters(tx, accountId, importId);
}

/** Whether this transaction has the temporary table. */
async function isThere(tx: Tx, table: string): Promise<boolean> {
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regclass(${`pg_temp.${table}`}) is not null as is_there`.execute(tx);
  return rows[0]?.is_there === true;
}

const nameOf = sql`case when v.is_confidential then '' else trim(concat_ws(' ', v.firstname, v.lastname)) end`;

async function readBallotSamples(tx: Tx): Promise<SampleChange[]> {
  const { rows } = await sql<{
    voter: string;
    name: string;
    election: string;
    from: string;
    to: string;
  }>`
    select v.registration_id as voter, ${nameOf} as name, e.name as election, coalesce(c.old_status, '') as "from",
      coalesce(c.new_status, '') as "to"
    from (
      select ballot_id, old_status, new_status, election_id,
        row_number() over (partition by old_status, new_status order by ballot_id) as place
      from ${changedBallots} where new_status is distinct from old_status
      order by place, new_status limit ${samples}
    ) c
    join ballots b on b.ballot_id = c.ballot_id
    join voters v on v.voter_id = b.voter_id
    join elections e on e.election_id = c.election_id
    order by c.place, c.new_status`.execute(tx);
  return rows.map(({ voter, name, election, from, to }) => ({
    ...{ voter, name },
    changes: [{ what: election, from, to }],
  }));
}

type VoterRow = Readonly<Record<string, unknown>>;

/** Voters who change first, those who become inactive included, and then new ones. */
async function readVoterSamples(
  tx: Tx,
  accountId: AccountId,
  importId: ImportId,
): Promise<SampleChange[]> {
  const { rows } = await sql<{ voter: string; name: string; was: VoterRow | null; is: VoterRow }>`
    select v.registration_id as voter, ${nameOf} as name, c.was, to_json(v) as is
    from (
      (select voter_id, was from replaced_voters where import_id = ${importId} order by voter_id limit ${samples})
      union all
      (select v.voter_id, null from ${voterChanges} n
        join voters v on v.account_id = ${accountId} and v.registration_id = n.registration_id
        where n.problem is null and n.voter_id is null order by n.line limit ${samples})
      limit ${samples}
    ) c
    join voters v on v.voter_id = c.voter_id`.execute(tx);
  return rows.map(({ voter, name, was, is }) => ({
    ...{ voter, name },
    changes: name === '' ? [] : compareVoter(was, is),
  }));
}

/** Of a roll that went straight to where it stays. */
async function readFirstVoters(
  tx: Tx,
  accountId: AccountId,
  importId: ImportId,
): Promise<SampleChange[]> {
  const { rows } = await sql<{ voter: string; name: string; is: VoterRow }>`
    -- sequential scan: reads the first rows of a roll that was just loaded
    select v.registration_id as voter, ${nameOf} as name, to_json(v) as is from voters v
    where v.account_id = ${accountId} and v.last_import_id = ${importId} limit ${samples}`.execute(
    tx,
  );
  return rows.map(({ voter, name, is }) => ({
    ...{ voter, name },
    changes: name === '' ? [] : compareVoter(null, is),
  }));
}

function compareVoter(was: VoterRow | null, is: VoterRow): SampleChange['changes'] {
  return Object.keys(voterColumns).flatMap((what) => {
    const [from, to] = [textOf(what, was?.[what]), textOf(what, is[what])];
    // Of a new voter, only what is on the roll; a flag that is off says nothing.
    return from === to || (was === null && to === 'no') ? [] : [{ what, from, to }];
  });
}

function textOf(column: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (column === 'birthdate') return formatDate(String(value));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}
