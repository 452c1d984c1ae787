-- QR codes printed for single ballots, and visits counted without knowing whose.

-- What the code of a ballot says: drawn at random, so that nobody can make one up.
create table ballot_codes (
  account_id integer not null,
  ballot_id bigint primary key references ballots,
  guid uuid not null unique default gen_random_uuid(),
  created_at timestamptz not null default now()
);
call protect_by_account('ballot_codes', 'select');

-- The bare host of many offices learns from the code which office is meant.
create function find_code_account(asked_guid uuid)
  returns integer
  language sql stable security definer set search_path = public, pg_temp
  as $$ select c.account_id from ballot_codes c where c.guid = asked_guid $$;
revoke all on function find_code_account(uuid) from public;
grant execute on function find_code_account(uuid) to beacon_api;

-- How often each page was seen on each day. No visitor, no address, no time of day.
create table page_views (
  account_id integer not null references accounts,
  day date not null,
  name text not null check (length(name) <= 60),
  views bigint not null,
  primary key (account_id, day, name)
);
call protect_by_account('page_views', 'select, insert, update');
