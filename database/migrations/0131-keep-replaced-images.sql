-- The image that an office had before its present one, so that the last change can be undone; without bytes where it had none.
create table replaced_images (
  account_id integer not null references accounts,
  kind text not null check (kind in ('logo', 'background')),
  content_type text,
  bytes bytea,
  sha256 bytea,
  replaced_at timestamptz not null default now(),
  primary key (account_id, kind),
  check (num_nulls(content_type, bytes, sha256) in (0, 3))
);
call protect_by_account('replaced_images', '');
call open_rows('beacon_operator', 'replaced_images', 'select, insert, update, delete');
call open_to_worker('replaced_images', 'select, delete');
grant select, insert, update, delete on replaced_images to beacon_office;
