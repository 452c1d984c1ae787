-- Ballots (the envelope, never the vote) and what happened to them.

create table imports (
  account_id integer not null references accounts,
  import_id bigint generated always as identity primary key,
  format text not null,
  file_name text not null,
  file_sha256 bytea not null,
  -- done: wholly in; refused: wholly out, see report; held: in, but its messages wait for a second operator.
  state text not null check (state in ('done', 'refused', 'held')),
  operator text not null,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  rows_read bigint not null,
  rows_refused bigint not null,
  -- Counts before and after, unknown values, refusals by reason: what the clerk was told.
  report jsonb not null
);
create index imports_by_account on imports (account_id, import_id desc);
create index imports_by_content on imports (account_id, format, file_sha256);
call protect_by_account('imports', 'select');

create table ballots (
  account_id integer not null,
  ballot_id bigint generated always as identity primary key,
  voter_id bigint not null references voters,
  election_id bigint not null references elections,
  -- The office's key where one voter can have several ballots in an election; '' where the format has none.
  ballot_number text not null default '',
  -- The office's last row for this ballot, as a fingerprint: an unchanged row makes no new event.
  office_record text,
  -- Derived from the ballot's events; kept here for set-wise work and counts. The page derives it anew.
  current_status text,
  current_event_id bigint,
  outbound_expected_delivery_date date,
  inbound_expected_delivery_date date,
  created_at timestamptz not null default now(),
  unique (account_id, election_id, voter_id, ballot_number)
);
create index ballots_by_voter on ballots (voter_id);
call protect_by_account('ballots', 'select');

create type event_kind as enum ('office', 'scan', 'estimate');

create table ballot_events (
  account_id integer not null,
  -- Also the order in which the office's records count: a later record outranks an earlier one.
  event_id bigint generated always as identity primary key,
  ballot_id bigint not null references ballots,
  kind event_kind not null,
  -- A code of the status catalogue; null when the office's value is not known, which raw_status keeps.
  status text,
  raw_status text not null default '',
  -- The day it happened, in the office's calendar; null when the file gives none.
  occurred_on date,
  -- The instant, where the source gives a time.
  occurred_at timestamptz,
  reason_code text not null default '',
  reason text not null default '',
  import_id bigint references imports,
  source_line bigint,
  recorded_at timestamptz not null default now()
);
create index ballot_events_by_ballot on ballot_events (ballot_id, event_id);
call protect_by_account('ballot_events', 'select');

-- Events are a record: they are added, never changed or taken away.
create function refuse_change() returns trigger
  language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end
$$;
create trigger ballot_events_append_only before update or delete or truncate on ballot_events
  for each statement execute function refuse_change();
