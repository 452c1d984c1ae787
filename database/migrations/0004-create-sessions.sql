-- Signed-in voters, and what keeps guessing slow.

create table sessions (
  account_id integer not null references accounts,
  -- SHA-256 of the cookie's secret, which is nowhere else.
  session_hash bytea primary key,
  session_id uuid not null unique default gen_random_uuid(),
  voter_id bigint not null references voters,
  created_at timestamptz not null,
  last_active_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_by_expiry on sessions (expires_at);
call protect_by_account('sessions', 'select, insert, update, delete');

-- Failed attempts per key and window, shared by all processes. Keys are keyed hashes: no name, no address.
create table throttles (
  throttle_key bytea primary key,
  -- Of the hour that ends at "window_ends_at", of the day that ends at "day_ends_at", and for good.
  failures integer not null,
  window_ends_at timestamptz not null,
  day_failures integer not null default 0,
  day_ends_at timestamptz not null default '-infinity',
  total_failures integer not null default 0,
  -- A row stays as long as its total matters, which depends on what it counts.
  kept_until timestamptz not null default now()
);
create index throttles_by_end on throttles (kept_until);
grant select, insert, update, delete on throttles to beacon_api;

-- CAPTCHA solutions already used, until they expire.
create table used_captchas (
  captcha_hash bytea primary key,
  expires_at timestamptz not null,
  -- A solution that ended in a further question (voter ID, token) may answer that question, for the same person.
  continues_for bytea,
  -- How much work the solution proved, for that further question.
  work_level smallint not null default 0
);
create index used_captchas_by_expiry on used_captchas (expires_at);
grant select, insert, update, delete on used_captchas to beacon_api;

-- Who signed in from a network in the last hour, by keyed hashes of both: an address that signs in many voters is seen.
create table network_voters (
  network_key bytea not null,
  person_key bytea not null,
  expires_at timestamptz not null,
  primary key (network_key, person_key)
);
create index network_voters_by_expiry on network_voters (expires_at);
grant select, insert, update, delete on network_voters to beacon_api;

-- The few questions the API may ask before it knows the account, each a function so that nothing else can be asked.

create function find_account(asked_subdomain text)
  returns table (account_id integer, content_version bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select a.account_id, a.content_version from accounts a where a.subdomain = asked_subdomain
  $$;

-- The bare host without a default account serves every office's voters: it learns which office is meant only from
-- who signs in. Confidential voters look like nobody, so they are not among the answers' rows.
-- The typed last name comes as match_name() wrote it: it is read once, for the search and for the throttle's key.
create function find_login_candidates(typed_birthdate date, typed_zipcode text, typed_lastname text)
  returns table (
    account_id integer, voter_id bigint, registration_id text, firstname text, middlename text, token_hash text)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select v.account_id, v.voter_id, v.registration_id,
      match_name(v.firstname), match_name(v.middlename), v.token_hash
    from voters v
    where v.birthdate = typed_birthdate and v.zipcode = typed_zipcode
      and match_name(v.lastname) = typed_lastname
      and v.is_active and not v.is_confidential
  $$;

create function find_session_account(asked_hash bytea)
  returns integer
  language sql stable security definer set search_path = public, pg_temp
  as $$ select s.account_id from sessions s where s.session_hash = asked_hash $$;

-- The bare host of many offices learns from the code which office is meant.
create function find_code_account(asked_guid uuid)
  returns integer
  language sql stable security definer set search_path = public, pg_temp
  as $$ select c.account_id from ballot_codes c where c.guid = asked_guid $$;

-- Every account's dead sessions at once, which no single account's connection could see.
create function delete_expired_sessions(at timestamptz, idle_since timestamptz)
  returns void
  language sql security definer set search_path = public, pg_temp
  as $$ delete from sessions where expires_at <= at or last_active_at <= idle_since $$;

revoke all on function find_account(text), find_login_candidates(date, text, text), find_session_account(bytea),
  find_code_account(uuid), delete_expired_sessions(timestamptz, timestamptz) from public;
grant execute on function find_account(text), find_login_candidates(date, text, text), find_session_account(bytea),
  find_code_account(uuid), delete_expired_sessions(timestamptz, timestamptz) to beacon_api;
