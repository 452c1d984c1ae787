-- Files that people of an office upload at the console, sealed, until they are decided and for some days longer.

create table uploads (
  account_id integer not null references accounts,
  upload_id bigint generated always as identity primary key,
  -- As the audit names the person, who alone may import the file.
  uploaded_by text not null,
  file_name text not null,
  size bigint not null check (size > 0),
  piece_size integer not null check (piece_size > 0),
  -- With a key that is not in the database, they make the key of this file.
  salt bytea not null,
  key_id text not null,
  -- receiving: pieces are missing; checking and importing: a process reads it, or will; ready: a person decides;
  -- imported: the import says what became of it; deleted: a person or the calendar did.
  state text not null default 'receiving' check (state in (
    'receiving', 'checking', 'ready', 'importing', 'imported', 'deleted')),
  -- How it is read; without a format its first line decides.
  format text,
  election text,
  is_full boolean not null default false,
  -- Why a second person shall approve it, whatever is found.
  ask_because text,
  -- Counts the checks, so that a decision is about what was seen.
  check_number integer not null default 0,
  -- What the last check found, sealed, because it names voters; null where the file could not be read.
  preview bytea,
  is_importable boolean not null default false,
  -- Why the last check or import did not come to its end, for the person.
  problem text,
  import_id bigint,
  -- Work for any process: not before this moment, and not while another one has it.
  queued_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts smallint not null default 0,
  progress_bytes bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Its bytes are erased after this moment; null while somebody may still decide.
  erase_after timestamptz,
  erased_at timestamptz
);
create index uploads_by_account on uploads (account_id, upload_id desc);
create index uploads_queued on uploads (queued_at) where queued_at is not null;
create index uploads_by_import on uploads (import_id) where import_id is not null;
create index uploads_unerased on uploads (updated_at) where erased_at is null;
call protect_by_account('uploads', '');
grant select, insert, update on uploads to beacon_office;
call open_rows('beacon_operator', 'uploads', 'select, update, delete');

create table upload_pieces (
  account_id integer not null references accounts,
  upload_id bigint not null references uploads,
  -- file: as it was sent; rejects: the list of refused rows.
  kind text not null check (kind in ('file', 'rejects')),
  piece integer not null,
  bytes integer not null,
  -- Of what was sealed.
  sha256 bytea not null,
  sealed bytea not null,
  primary key (upload_id, kind, piece)
);
-- What is sealed does not shrink.
alter table upload_pieces alter column sealed set storage external;
create index upload_pieces_by_account on upload_pieces (account_id);
call protect_by_account('upload_pieces', '');
grant select, insert on upload_pieces to beacon_office;
call open_rows('beacon_operator', 'upload_pieces', 'select, insert, delete');
