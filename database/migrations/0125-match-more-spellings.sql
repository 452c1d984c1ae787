-- More of what people type differently: every apostrophe, prime, dash and invisible character that keyboards, phones
-- and other systems put into names, and more letters with a stroke. The plain branch and the Unicode branch agree on
-- ASCII; a test compares them.
create or replace function match_name(name text) returns text
  language sql immutable parallel safe
  return case
    -- Plain ASCII, nearly every row of a roll, without the cost of Unicode.
    when name collate "C" ~ '^[ -~]*$' then upper(translate(name, ' ''`-_.,', '') collate "C")
    else upper(regexp_replace(
      translate(replace(replace(replace(replace(replace(replace(normalize(name, NFKD),
        'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'),
        'øØłŁđĐðÐɖƉħĦŧŦıȷ', 'oOlLdDdDdDhHtTij'),
      -- Combining marks; spaces and what is invisible; apostrophes, modifier letters and primes; dots; dashes.
      '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f'
        '\s\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff'
        '''`´’‘‚‛\u02b9-\u02df\u02ee\u2032-\u2037\u05f3\u07f4\u07f5\ua78b\ua78c'
        '.,·‧・\-_\u2010-\u2015\u2043\u2212]', '', 'g'))
  end;

-- The typed last name comes as match_name() wrote it: it is read once, for the search and for the throttle's key.
create or replace function find_login_candidates(typed_birthdate date, typed_zipcode text, typed_lastname text)
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
