-- Accounts (election offices), and the means by which one office's rows stay out of another's sight.

-- The role under which the API reads and writes. It owns nothing, so row-level security binds it.
do $$
begin
  if not exists (select from pg_roles where rolname = 'beacon_api') then
    begin
      create role beacon_api nologin;
    exception when duplicate_object or unique_violation then
      null; -- another database of this cluster was migrated at the same moment
    end;
  end if;
  if not pg_has_role(current_user, 'beacon_api', 'usage') then
    execute format('grant beacon_api to %I', current_user);
  end if;
exception when insufficient_privilege then
  raise exception 'this user may not make or use the role beacon_api' using hint = format(
    'Have an administrator run: create role beacon_api; grant beacon_api to %I', current_user);
end
$$;

-- The account the current connection works for; null (and so no row at all) unless it was set.
create function current_account_id() returns integer
  language sql stable parallel safe
  return nullif(current_setting('beacon.account_id', true), '')::integer;

-- Puts a table under row-level security by its account_id, with just these privileges for the API.
create procedure protect_by_account(table_name regclass, privileges text)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', table_name);
  execute format(
    'create policy account_rows on %s using (account_id = current_account_id())', table_name);
  if privileges <> '' then
    execute format('grant %s on %s to beacon_api', privileges, table_name);
  end if;
end
$$;

create table accounts (
  account_id integer generated always as identity primary key,
  subdomain text not null unique check (subdomain ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  name text not null,
  county text not null,
  state text not null,
  time_zone text not null,
  -- Everything else an account file says, checked by its schema when applied and when read.
  settings jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
call protect_by_account('accounts', 'select');

create table account_languages (
  account_id integer not null references accounts,
  language text not null,
  position smallint not null,
  primary key (account_id, language)
);
call protect_by_account('account_languages', 'select');

-- Logos and backgrounds, kept here because PostgreSQL is the only place of state.
create table account_images (
  account_id integer not null references accounts,
  kind text not null check (kind in ('logo', 'background')),
  content_type text not null,
  bytes bytea not null,
  sha256 bytea not null,
  primary key (account_id, kind)
);
call protect_by_account('account_images', 'select');

create table elections (
  account_id integer not null references accounts,
  election_id bigint generated always as identity primary key,
  -- The office's own number, by which its files name the election.
  number text not null,
  name text not null,
  election_date date not null,
  is_active boolean not null,
  unique (account_id, number)
);
call protect_by_account('elections', 'select');
