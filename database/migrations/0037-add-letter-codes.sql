-- The code of a letter to a confidential voter, who can sign in in no other way. Only its hash is stored.

create table letter_codes (
  account_id integer not null references accounts,
  letter_code_id bigint generated always as identity primary key,
  -- A new code replaces the voter's code before it.
  voter_id bigint not null unique references voters,
  election_id bigint not null references elections,
  -- SHA-256
  code_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
call protect_by_account('letter_codes', 'select');
call open_rows('beacon_operator', 'letter_codes', 'select (account_id, letter_code_id, voter_id, election_id, expires_at), insert, delete');

-- Exports and reports leave these few out without reading the roll.
create index voters_confidential on voters (account_id, voter_id) where is_confidential;

-- A revoked or replaced code ends the sessions that it started.
alter table sessions add column letter_code_id bigint references letter_codes on delete cascade;
create index sessions_by_letter_code on sessions (letter_code_id) where letter_code_id is not null;

-- The bare host of many offices learns from the code which office is meant.
create function find_letter_account(asked_hash bytea)
  returns integer
  language sql stable security definer set search_path = public, pg_temp
  as $$ select c.account_id from letter_codes c where c.code_hash = asked_hash $$;
revoke all on function find_letter_account(bytea) from public;
grant execute on function find_letter_account(bytea) to beacon_api;
