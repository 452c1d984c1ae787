-- A database that came out of a backup, and any other copy, has messages that the first one may have handed over since. It sends nothing until an
-- operator says so.

-- The database that sends. The first worker writes it, and `beacon restore` when another one takes over.
create table sending_database (
  is_only boolean primary key default true check (is_only),
  identity text not null
);
alter table sending_database enable row level security;
call open_to_worker('sending_database', 'select, insert');

-- An office whose last files before the loss are imported again: their news may have left already, so it waits until an operator decides.
create table restores (
  account_id integer not null references accounts,
  restore_id bigint generated always as identity primary key,
  begun_at timestamptz not null default now(),
  finished_at timestamptz
);
create unique index restores_open on restores (account_id) where finished_at is null;
call protect_by_account('restores', '');
call open_to_worker('restores', 'select');
call open_rows('beacon_operator', 'restores', 'select, update, delete');

-- Differs in every database that was loaded from a dump. As the owner, so that every login gets the same answer.
create function database_identity() returns text stable
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  number text := (select oid::text from pg_database where datname = current_database());
begin
  return (select system_identifier::text from pg_control_system()) || ':' || number;
exception when insufficient_privilege then
  return ':' || number;
end
$$;
revoke execute on function database_identity from public;
grant execute on function database_identity to beacon_worker;

-- Also true as long as no worker has ever started.
create function is_sending_database() returns boolean stable
  language sql security definer set search_path = public, pg_temp as
  'select coalesce((select identity = database_identity() from sending_database), true)';
revoke execute on function is_sending_database from public;
grant execute on function is_sending_database to beacon_worker, beacon_operator;

create index messages_restored on messages (account_id) where state = 'held' and error_code = 'restored';
