import type { Channel, MessageState } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { AccountId, BallotId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';

/** A message about a problem with an envelope. */
export interface FixMessage {
  readonly channel: Channel;
  readonly state: MessageState;
  /** The office's record of the problem that it was about: the first or a later one. */
  readonly eventId: number;
  /** When it was handed over; null when it was not. */
  readonly at: Date | null;
}

/** The voter of a ballot to fix, and everything that was sent about it. */
export interface FixFacts {
  readonly registrationId: string;
  readonly name: string;
  /** The lines of the address on the roll below the name; empty when it has none. */
  readonly address: readonly string[];
  readonly language: string;
  readonly precinct: string;
  readonly isActive: boolean;
  /** A message can be sent to the voter. */
  readonly isReachable: boolean;
  readonly messages: readonly FixMessage[];
  readonly opens: readonly { readonly eventId: number; readonly at: Date }[];
  /** By problem. */
  readonly printedAt: ReadonlyMap<number, Date>;
}

interface Row {
  readonly ballot_id: BallotId;
  readonly registration_id: string;
  readonly name: string;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zipcode: string;
  readonly language: string;
  readonly precinct: string;
  readonly is_active: boolean;
  readonly is_reachable: boolean;
  readonly messages: readonly {
    readonly channel: Channel;
    readonly state: MessageState;
    readonly event: number;
    readonly at: string | null;
  }[];
  readonly opens: readonly { readonly event: number; readonly at: string }[];
  readonly letters: readonly { problem: number; at: string }[];
}

/**
 * Of a message `m`: a reminder's cause names the problem, as `fix:BALLOT:PROBLEM:MOMENT`, and what is sent again is about the
 * problem of that time.
 */
const eventOf = sql`coalesce(m.event_id, case when m.kind = 'fix-reminder' then split_part(m.cause, ':', 3)::bigint
  when m.cause like 'again:%' then (select max(p.event_id) from ballot_events p where p.ballot_id = m.ballot_id
    and p.kind = 'office' and p.status = 'rejected-curable' and p.recorded_at <= m.created_at) end)`;

/**
 * By ballot. Of a confidential voter nothing that could find the person.
 *
 * @param channels that the office offers
 */
export async function readFixFacts(
  db: Db,
  accountId: AccountId,
  ballotIds: readonly BallotId[],
  channels: readonly Channel[],
): Promise<ReadonlyMap<BallotId, FixFacts>> {
  const { rows } = await sql<Row>`
    select b.ballot_id, v.registration_id, v.is_active,
      case when v.is_confidential then '' else concat_ws(' ', nullif(v.firstname, ''), nullif(v.middlename, ''),
        nullif(v.lastname, ''), nullif(v.suffix, '')) end as name,
      case when v.is_confidential then '' else v.address end as address,
      case when v.is_confidential then '' else v.city end as city,
      case when v.is_confidential then '' else v.state end as state,
      case when v.is_confidential then '' else v.zipcode end as zipcode,
      case when v.is_confidential then '' else v.precinct end as precinct,
      coalesce(nullif(p.language_preference, ''), nullif(v.language_preference, ''), 'english') as language,
      exists (select from contact_channels c where c.voter_id = v.voter_id and c.is_reachable
        and c.channel = any(${[...channels]}::text[])
        and not exists (select from suppressions s where s.account_id = b.account_id and s.channel = c.channel
          and s.address = lower(c.address))) as is_reachable,
      coalesce((select json_agg(json_build_object('channel', m.channel, 'state', m.state, 'event', ${eventOf},
          'at', coalesce(m.sent_at, m.claimed_at)) order by m.message_id)
        from messages m where m.ballot_id = b.ballot_id and m.status = 'rejected-curable'), '[]') as messages,
      coalesce((select json_agg(json_build_object('event', o.event_id, 'at', o.opened_at)) from fix_link_opens o where o.account_id = b.account_id and o.ballot_id = b.ballot_id), '[]') as opens,
      coalesce((select json_agg(json_build_object('problem', l.problem_id, 'at', l.printed_at))
        from fix_letters l where l.account_id = b.account_id and l.ballot_id = b.ballot_id), '[]') as letters
    from ballots b join voters v on v.voter_id = b.voter_id
    left join contact_preferences p on p.voter_id = v.voter_id
    where b.account_id = ${accountId} and b.ballot_id = any(${[...ballotIds]}::bigint[])`.execute(
    db,
  );
  return new Map(
    rows.map((row) => [
      row.ballot_id,
      {
        registrationId: row.registration_id,
        name: row.name,
        address: toLines(row),
        language: row.language,
        precinct: row.precinct,
        isActive: row.is_active,
        isReachable: row.is_reachable,
        messages: row.messages.map(({ channel, state, event, at }) => ({
          ...{ channel, state, eventId: event, at: at === null ? null : new Date(at) },
        })),
        opens: row.opens.map(({ event, at }) => ({ eventId: event, at: new Date(at) })),
        printedAt: new Map(row.letters.map(({ problem, at }) => [problem, new Date(at)])),
      },
    ]),
  );
}

function toLines({ address, city, state, zipcode }: Row): string[] {
  if (address.trim() === '') return [];
  const place = [[city, state].filter(Boolean).join(', '), zipcode].filter(Boolean).join(' ');
  return [address, place].map((line) => line.trim()).filter(Boolean);
}

/**
 * Records that the link of a message about a problem was opened, the first time.
 *
 * @param db bound to the account
 * @param ids what the link's code may stand for
 * @returns whether there is such a message
 */
export async function recordLinkOpen(db: Db, ids: readonly number[], now: Date): Promise<boolean> {
  const { rows } = await sql<{ message_id: number }>`
    with found as (
      select account_id, message_id, ballot_id, ${eventOf} as event_id from messages m
      where account_id = current_account_id() and message_id = any(${[...ids]}::bigint[])
        and status = 'rejected-curable' and ballot_id is not null and ${eventOf} is not null
    ), added as (
      insert into fix_link_opens (account_id, message_id, ballot_id, event_id, opened_at)
      select account_id, message_id, ballot_id, event_id, ${now} from found on conflict do nothing
    ) select message_id from found`.execute(db);
  return rows.length > 0;
}

/** Until the transaction's end nobody else of the office chooses letters: two at once would print the same. */
export async function lockLetters(tx: Db, accountId: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('fix-letters'), ${accountId})`.execute(tx);
}

/** Records that letters were written to a print file. */
export async function recordLetters(
  db: Db,
  accountId: AccountId,
  letters: readonly { readonly ballotId: BallotId; readonly problemId: number }[],
  printed: { readonly by: string; readonly at: Date },
): Promise<void> {
  await sql`
    insert into fix_letters (account_id, ballot_id, problem_id, printed_at, printed_by)
    select ${accountId}, l.ballot_id, l.problem_id, ${printed.at}, ${printed.by}
    from unnest(${letters.map((one) => one.ballotId)}::bigint[], ${letters.map((one) => one.problemId)}::bigint[])
      as l (ballot_id, problem_id)
    on conflict (account_id, ballot_id, problem_id) do update set printed_at = excluded.printed_at, printed_by = excluded.printed_by`.execute(
    db,
  );
}
