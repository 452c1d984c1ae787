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
  -- Counts before and after, unknown values, refusals by reason: what the clerk read.
  report jsonb not null
);
create index imports_by_account on imports (account_id, import_id desc);
call protect_by_account('imports', 'select');

-- A file of a million ballots is loaded set-wise, by joins that find each voter, election and ballot. Checking each of
-- those rows again by a foreign key took two thirds of a first load (300,000 ballots: 20 s with, 7 s without), so these
-- tables have none. What they point to is never deleted.
create table ballots (
  account_id integer not null,
  -- The numbers of ballots say nothing of their order, so a connection may draw some beforehand.
  ballot_id bigint generated always as identity (cache 100) primary key,
  voter_id bigint not null,
  election_id bigint not null,
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

create type event_kind as enum (
  'office',
  'scan',
  'estimate',
  -- The mail house's word that the envelope is printed: the office's, and yet it never undoes what the office's own
  -- system says.
  'print'
);

create table ballot_events (
  account_id integer not null,
  -- Also the order in which the office's records count: a later record outranks an earlier one.
  -- A record of a ballot has five events at most: an importer draws one number for all of them.
  event_id bigint generated always as identity (increment by 8),
  ballot_id bigint not null,
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
  import_id bigint,
  source_line bigint,
  scan_id bigint,
  recorded_at timestamptz not null default now(),
  -- Every reader of an event knows its ballot, so one index is both the key and the order of a ballot's events. Each
  -- index less is a fifth of the time that a first load spends on its events.
  primary key (ballot_id, event_id)
);
-- Estimates whose day is over count from then on.
create index ballot_events_estimates on ballot_events (account_id, occurred_on) where kind = 'estimate';
call protect_by_account('ballot_events', 'select');

create trigger ballot_events_append_only before update or delete or truncate on ballot_events
  for each statement execute function refuse_change();

-- What the code of a ballot says: drawn at random, so that nobody can make one up.
create table ballot_codes (
  account_id integer not null,
  ballot_id bigint primary key references ballots,
  guid uuid not null unique default gen_random_uuid(),
  created_at timestamptz not null default now()
);
call protect_by_account('ballot_codes', 'select');

-- The envelopes that carry a barcode, and what the Postal Service saw of them. Reading a barcode proves its digits; here
-- its length is enough, and costs a tenth.

create table mail_pieces (
  account_id integer not null,
  mail_piece_id bigint generated always as identity primary key,
  -- The barcode's first 20 digits. Serials may be used again after 45 days: the newest piece has the code.
  tracking_code text not null check (octet_length(tracking_code) = 20),
  ballot_id bigint not null,
  -- Null when neither the file nor the barcode's service type tells: the piece is kept, and nothing is shown of it.
  direction text check (direction in ('outbound', 'inbound')),
  -- In the office's calendar; null when the file gives none.
  mailed_on date,
  import_id bigint,
  unique (account_id, tracking_code, ballot_id)
);
create index mail_pieces_by_ballot on mail_pieces (ballot_id);
call protect_by_account('mail_pieces', 'select');

-- Every scan is kept, also those of no known piece: the office's file of pieces may come later.
create table mail_scans (
  account_id integer not null,
  scan_id bigint generated always as identity primary key,
  tracking_code text not null check (octet_length(tracking_code) = 20),
  routing_code text not null default '',
  -- By the clock of the facility: the Postal Service gives no zone.
  scanned_at timestamp not null,
  -- A actual, S or assumed, L logical delivery; as the Postal Service spells it.
  event_type text not null default '',
  op_code text not null default '',
  mail_phase text not null default '',
  facility_city text not null default '',
  facility_state text not null default '',
  facility_zip text not null default '',
  expected_delivery_date date,
  -- A push is an import too.
  import_id bigint,
  received_at timestamptz not null default now(),
  -- The same scan comes by push, in a pulled file, and again.
  unique (account_id, tracking_code, scanned_at, op_code, event_type)
);
call protect_by_account('mail_scans', 'select');

-- With which the Postal Service pushes scans to an office's host: SHA-256 of `user:password`, of which the password is
-- drawn at random and shown once.
create table push_credentials (
  account_id integer primary key references accounts,
  credential_hash bytea not null,
  created_at timestamptz not null default now()
);
call protect_by_account('push_credentials', 'select');
