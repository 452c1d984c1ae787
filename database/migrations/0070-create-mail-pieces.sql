-- The envelopes that carry a barcode, and what the post office saw of them.

create table mail_pieces (
  account_id integer not null,
  mail_piece_id bigint generated always as identity primary key,
  -- The barcode's first 20 digits. Serials may be used again after 45 days: the newest piece has the code.
  tracking_code text not null check (tracking_code ~ '^[0-9]{20}$'),
  -- Without foreign keys, as ballots and ballot_events are (0020).
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
  tracking_code text not null check (tracking_code ~ '^[0-9]{20}$'),
  routing_code text not null default '',
  -- By the clock of the facility: the post office gives no zone.
  scanned_at timestamp not null,
  -- A actual, S or assumed, L logical delivery; as the post office spells it.
  event_type text not null default '',
  op_code text not null default '',
  mail_phase text not null default '',
  facility_city text not null default '',
  facility_state text not null default '',
  facility_zip text not null default '',
  expected_delivery_date date,
  -- A push is an import too.
  import_id bigint references imports,
  received_at timestamptz not null default now(),
  -- The same scan comes by push, in a pulled file, and again.
  unique (account_id, tracking_code, scanned_at, op_code, event_type)
);
call protect_by_account('mail_scans', 'select');

alter table ballot_events add column scan_id bigint;
