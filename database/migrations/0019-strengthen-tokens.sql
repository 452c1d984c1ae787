-- Security tokens: a keyed comparison for imports, and a hash at full cost for sign-in.

-- What an import compares to see whether a voter's token is new, under a key that is not in the database. A person who has
-- that key could try tokens quickly against it, so processes that voters reach may not read it.
alter table voters add column token_comparison text;
create index voters_with_weak_token on voters (voter_id) where token_hash like 'keyed$%';

-- Visitors' requests: every column but that one.
revoke select on voters from beacon_api;
grant select (account_id, voter_id, registration_id, firstname, middlename, lastname, suffix, birthdate, birthyear, address,
  city, state, zipcode, county, precinct, phone, email, language_preference, is_active, is_confidential, token_hash,
  created_timestamp, last_import_id, row_hash) on voters to beacon_api;

-- The worker's next tokens after a voter. It may read no others.
create function list_weak_tokens(after bigint, most integer)
  returns table (voter_id bigint, token_hash text)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select v.voter_id, v.token_hash from voters v where v.token_hash like 'keyed$%' and v.voter_id > after order by v.voter_id limit most
  $$;

-- Replaces a hash that the caller knows by a strong one of the same token. A voter whom an import is changing is left for
-- the next time: nobody who signs in waits for an import.
create function strengthen_token(of_voter bigint, known_hash text, strong_hash text)
  returns void
  language sql security definer set search_path = public, pg_temp
  as $$
    update voters set token_hash = strong_hash
    where strong_hash like 'keyed-scrypt$%' and known_hash not like 'keyed-scrypt$%' and voter_id = (
      select v.voter_id from voters v where v.voter_id = of_voter and v.token_hash = known_hash
      for no key update skip locked)
  $$;

revoke all on function list_weak_tokens(bigint, integer), strengthen_token(bigint, text, text) from public;
grant execute on function list_weak_tokens(bigint, integer) to beacon_worker;
grant execute on function strengthen_token(bigint, text, text) to beacon_api, beacon_worker;
