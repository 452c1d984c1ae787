-- An office moves to the database of another cell with all its rows, which keep their numbers: links, codes and the record name them.

-- Which cell this database is: rows get numbers of its own range, so that those of two cells never meet. 0 where it was never said.
create table cell (
  is_only boolean primary key default true check (is_only),
  number integer not null check (number between 0 and 99)
);
alter table cell enable row level security;

-- Sets the sequences of all numbered rows to the cell's range, unless they are in it already; those of tables that a later version adds, too.
-- A message's number must stay below 2^40, for its code.
create function number_by_cell() returns void
  language plpgsql as $$
declare
  of_cell bigint := (select number from cell);
  one record;
  reached bigint;
  start_of_range bigint;
begin
  if of_cell is null then return; end if;
  for one in
    select a.attrelid::regclass as of_table, a.attname, a.atttypid,
      pg_get_serial_sequence(a.attrelid::regclass::text, a.attname) as sequence
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attidentity <> ''
  loop
    start_of_range := of_cell * case
      when one.atttypid = 'integer'::regtype then 10000000
      when one.of_table in ('ballot_events'::regclass, 'mail_scans'::regclass) then 1000000000000
      else 10000000000 end;
    execute format('select last_value from %s', one.sequence) into reached;
    if reached < start_of_range then perform setval(one.sequence, start_of_range, false); end if;
  end loop;
end
$$;
revoke execute on function number_by_cell from public;

-- Offices that moved away, or are about to. No login but the owner's sees their rows here: the command closes every table with a policy of its own.
create table moved_accounts (
  account_id integer primary key,
  began_at timestamptz not null,
  -- Null until the other cell has everything.
  moved_at timestamptz
);
alter table moved_accounts enable row level security;

-- Voters of an office on its way are asked to come back in a little while, as when the database is away, instead of hearing that there is no such office.
create or replace function find_account(asked_subdomain text) returns table (account_id integer, content_version bigint) stable
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from accounts a join moved_accounts m on m.account_id = a.account_id where a.subdomain = asked_subdomain) then
    raise exception 'the office is moving to another database' using errcode = 'cannot_connect_now';
  end if;
  return query select a.account_id, a.content_version from accounts a where a.subdomain = asked_subdomain;
end
$$;

create or replace function find_login_candidates(typed_birthdate date, typed_zipcode text, typed_lastname text)
  returns table (account_id integer, voter_id bigint, registration_id text, firstname text, middlename text, token_hash text) stable
  language sql security definer set search_path = public, pg_temp as $$
    select v.account_id, v.voter_id, v.registration_id,
      match_name(v.firstname), match_name(v.middlename), v.token_hash
    from voters v
    where v.birthdate = typed_birthdate and v.zipcode = typed_zipcode
      and match_name(v.lastname) = typed_lastname
      and v.is_active and not v.is_confidential
      and not exists (select from moved_accounts m where m.account_id = v.account_id)
  $$;
