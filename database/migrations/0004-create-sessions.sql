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
  failures integer not null,
  window_ends_at timestamptz not null
);
create index throttles_by_end on throttles (window_ends_at);
grant select, insert, update, delete on throttles to beacon_api;

-- CAPTCHA solutions already used, until they expire.
create table used_captchas (
  captcha_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_captchas_by_expiry on used_captchas (expires_at);
grant select, insert, delete on used_captchas to beacon_api;
