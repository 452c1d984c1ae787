-- A clerk's search of a roll of millions reads by an index what matches, and nothing else.

-- The order of a list of names: last name, then first name, as match_name() folds them. It removes neither the mark between
-- them nor changes it, and no letter or digit comes before it.
create function roll_name(lastname text, firstname text) returns text
  language sql immutable parallel safe
  return match_name(lastname || '!' || firstname);

create index voters_by_name on voters (account_id, (roll_name(lastname, firstname) collate "C"), voter_id)
  where not is_confidential;
create index voters_by_email on voters ((lower(email) collate "C")) where email <> '' and not is_confidential;
create index voters_by_phone on voters ((right(regexp_replace(phone, '\D', '', 'g'), 10) collate "C"))
  where phone <> '' and not is_confidential;
-- Most rolls have none of these: an ID is typed in any case and with any spaces, and is nearly always written without.
create index voters_by_odd_id on voters (account_id, (upper(regexp_replace(registration_id, '\s', '', 'g')) collate "C"))
  where registration_id ~ '[[:lower:]\s]';
create index ballots_by_number on ballots (account_id, ballot_number) where ballot_number <> '';

-- Row-level security keeps the planner from an index on what may leak, which match_name() and lower() may for all it knows. So
-- these two look as the owner, within the account of whoever asks, and give numbers of voters who are not confidential.

-- Voters whose last name starts with a typed one; or has it, while the first name starts with a typed one, or, where all given
-- names were typed, first and middle names together start with those. In the order of the list, after a place in it.
create function find_voters_named(lastnames text[], firstnames text[], givennames text[], after_name text, after_voter bigint, most integer)
  returns table (voter_id bigint, name text)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select distinct found.voter_id, found.name
    from unnest(lastnames, firstnames, givennames) typed(lastname, firstname, givenname)
    cross join lateral (
      select match_name(typed.lastname) || coalesce('!' || match_name(typed.firstname), '') as start
    ) folded
    cross join lateral (
      select v.voter_id, roll_name(v.lastname, v.firstname) collate "C" as name
      from voters v
      where v.account_id = current_account_id() and not v.is_confidential
        and match_name(typed.lastname) <> ''
        and roll_name(v.lastname, v.firstname) collate "C" >= greatest(folded.start collate "C", after_name collate "C")
        and roll_name(v.lastname, v.firstname) collate "C" < folded.start || chr(1114111)
        and (roll_name(v.lastname, v.firstname) collate "C" > after_name or v.voter_id > after_voter)
        and (typed.givenname is null
          or starts_with(match_name(v.firstname || v.middlename), match_name(typed.givenname)))
      order by roll_name(v.lastname, v.firstname) collate "C", v.voter_id
      limit most
    ) found
    order by found.name, found.voter_id
    limit most
  $$;
revoke execute on function find_voters_named(text[], text[], text[], text, bigint, integer) from public;
grant execute on function find_voters_named(text[], text[], text[], text, bigint, integer) to beacon_office;

-- Voters of whom the roll has this email address in lower case, or this phone number of ten digits.
create function find_voters_reached(asked_email text, asked_phone text) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select v.voter_id from voters v
    where v.account_id = current_account_id() and not v.is_confidential
      and v.email <> '' and lower(v.email) collate "C" = asked_email
    union
    select v.voter_id from voters v
    where v.account_id = current_account_id() and not v.is_confidential
      and v.phone <> '' and right(regexp_replace(v.phone, '\D', '', 'g'), 10) collate "C" = asked_phone
  $$;
revoke execute on function find_voters_reached(text, text) from public;
grant execute on function find_voters_reached(text, text) to beacon_office;
