-- A past election leaves in two steps: at once for everybody, because all that shows a ballot asks for its election; then, ballot by ballot, its rows, in
-- short transactions for which nobody waits.

create table discarded_elections (
  account_id integer not null references accounts,
  election_id bigint primary key,
  number text not null,
  name text not null,
  election_date date not null,
  discarded_at timestamptz not null,
  -- Null while rows of it are left.
  finished_at timestamptz,
  -- What was deleted so far, by table.
  deleted jsonb not null default '{}'
);
create index discarded_elections_by_account on discarded_elections (account_id);
create index discarded_elections_unfinished on discarded_elections (election_id) where finished_at is null;
call protect_by_account('discarded_elections', '');
grant select on discarded_elections to beacon_office;
call open_to_worker('discarded_elections', 'select');
call open_rows('beacon_operator', 'discarded_elections', 'select, delete');

-- The first step. No login may delete ballots, so this decides itself what may go, and cannot leave out the record.
create function discard_election(of_election bigint, at timestamptz, by_actor text, details jsonb) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  leaving elections%rowtype;
begin
  perform set_config('lock_timeout', '2s', true);
  select * into strict leaving from elections where election_id = of_election for update;
  -- The lock of imports: a file that is being read has found this election.
  perform pg_advisory_xact_lock(hashtext('import'), leaving.account_id);
  if leaving.is_active or leaving.election_date >= at::date then
    raise exception 'election % is not over', leaving.number;
  end if;
  if exists (select from ballots b where b.election_id = of_election and b.ballot_id in (
    select ballot_id from messages where state in ('created', 'held') and ballot_id is not null
    union all select ballot_id from messages where state = 'sending')) then
    raise exception 'messages about election % wait to be sent', leaving.number;
  end if;
  insert into discarded_elections (account_id, election_id, number, name, election_date, discarded_at)
    values (leaving.account_id, of_election, leaving.number, leaving.name, leaving.election_date, at);
  delete from letter_codes where election_id = of_election;
  delete from office_deadlines where election_id = of_election;
  delete from elections where election_id = of_election;
  insert into audit_log (account_id, actor, action, target, details)
    values (leaving.account_id, by_actor, 'election.discard', leaving.number, details);
end
$$;
revoke execute on function discard_election from public;
grant execute on function discard_election to beacon_operator, beacon_worker;

-- The second step: the next ballots of a discarded election after a voter, with all that belongs to them. Returns the last voter, or null when no ballot is
-- left; busy while another process is at it.
create function discard_ballots(of_election bigint, after_voter bigint, most integer, at timestamptz,
  out last_voter bigint, out is_busy boolean)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  of_account integer;
  leaving bigint[];
  leaving_voters bigint[];
  leaving_messages bigint[];
  gone jsonb := '{}';
  gone_rows bigint;
begin
  perform set_config('lock_timeout', '2s', true);
  is_busy := false;
  select account_id into of_account from discarded_elections
    where election_id = of_election and finished_at is null for update skip locked;
  if not found then
    is_busy := exists (select from discarded_elections where election_id = of_election and finished_at is null);
    return;
  end if;
  select array_agg(ballot_id), array_agg(voter_id), max(voter_id) into leaving, leaving_voters, last_voter from (
    select ballot_id, voter_id from ballots
    where account_id = of_account and election_id = of_election and voter_id >= after_voter
    order by voter_id, ballot_number limit most) next;
  if leaving is null then
    if after_voter = 0 then
      update discarded_elections set finished_at = at where election_id = of_election;
    end if;
    return;
  end if;

  -- By their voters, because messages have no index by ballot.
  select coalesce(array_agg(m.message_id), '{}') into leaving_messages
    from unnest(leaving, leaving_voters) b(ballot_id, voter_id)
    join messages m on m.voter_id = b.voter_id and m.ballot_id = b.ballot_id;
  delete from receipts where message_id = any(leaving_messages);
  get diagnostics gone_rows = row_count;
  gone := jsonb_build_object('receipts', gone_rows);
  delete from local_deliveries where message_id = any(leaving_messages);
  delete from fix_link_opens where message_id = any(leaving_messages);
  delete from messages where message_id = any(leaving_messages);
  get diagnostics gone_rows = row_count;
  gone := gone || jsonb_build_object('messages', gone_rows);
  -- An envelope that several ballots share, or whose number a later election uses again, keeps its scans.
  delete from mail_scans s using mail_pieces p
    where p.ballot_id = any(leaving) and s.account_id = of_account and s.tracking_code = p.tracking_code
      and not exists (select from mail_pieces other where other.account_id = of_account
        and other.tracking_code = p.tracking_code and other.ballot_id <> all(leaving));
  get diagnostics gone_rows = row_count;
  gone := gone || jsonb_build_object('mail_scans', gone_rows);
  delete from mail_pieces where ballot_id = any(leaving);
  get diagnostics gone_rows = row_count;
  gone := gone || jsonb_build_object('mail_pieces', gone_rows);
  delete from fix_letters where account_id = of_account and ballot_id = any(leaving);
  delete from ballot_codes where ballot_id = any(leaving);
  delete from ballot_events where ballot_id = any(leaving);
  get diagnostics gone_rows = row_count;
  gone := gone || jsonb_build_object('ballot_events', gone_rows);
  delete from ballots where ballot_id = any(leaving);
  get diagnostics gone_rows = row_count;
  gone := gone || jsonb_build_object('ballots', gone_rows);
  update discarded_elections set deleted = (
      select jsonb_object_agg(key, coalesce((deleted->>key)::bigint, 0) + value::bigint) from jsonb_each_text(gone))
    where election_id = of_election;
end
$$;
revoke execute on function discard_ballots from public;
grant execute on function discard_ballots to beacon_operator, beacon_worker;

-- Events stay append-only but for this: an event may go with the ballot of an election that was discarded.
create function refuse_deletion_of_kept_events() returns trigger
  language plpgsql as $$
begin
  if exists (select from deleted_events gone
    left join ballots b on b.ballot_id = gone.ballot_id
    left join discarded_elections d on d.election_id = b.election_id
    where d.election_id is null) then
    raise exception 'ballot_events is append-only';
  end if;
  return null;
end
$$;
drop trigger ballot_events_append_only on ballot_events;
create trigger ballot_events_append_only before update or truncate on ballot_events
  for each statement execute function refuse_change();
create trigger ballot_events_kept after delete on ballot_events
  referencing old table as deleted_events for each statement execute function refuse_deletion_of_kept_events();
