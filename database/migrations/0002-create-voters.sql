-- Voters as the office's roll has them, and their own contact preferences apart from it.

-- A name without what people type differently: case, accents, apostrophes, hyphens, spaces.
-- Login compares through this one function (decisions, Login).
create function match_name(name text) returns text
  language sql immutable parallel safe
  return case
    -- Plain ASCII, nearly every row of a roll, without the cost of Unicode.
    when name collate "C" ~ '^[ -~]*$' then upper(translate(name, ' ''`-_.,', '') collate "C")
    else upper(regexp_replace(
      translate(replace(replace(replace(replace(replace(normalize(name, NFKD),
        'ß', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'øØłŁđĐðÐı', 'oOlLdDdDi'),
      '[\u0300-\u036f\s''’‘`´ʻʼ\u0091\u0092.,\-‐‑‒–—_]', '', 'g'))
  end;

-- No foreign key to accounts: a roll of a million rows is loaded set-wise for one account that the import holds,
-- and accounts are never deleted.
create table voters (
  account_id integer not null,
  voter_id bigint generated always as identity primary key,
  -- The office's own voter ID; also what a voter types when two match.
  registration_id text not null,
  firstname text not null default '',
  middlename text not null default '',
  lastname text not null,
  suffix text not null default '',
  birthdate date,
  birthyear smallint,
  address text not null default '',
  city text not null default '',
  state text not null default '',
  zipcode text not null default '',
  county text not null default '',
  precinct text not null default '',
  -- What the office has on file. Nothing is sent to these without the voter's own consent.
  phone text not null default '',
  email text not null default '',
  language_preference text,
  is_active boolean not null default true,
  is_confidential boolean not null default false,
  -- scrypt of the security token some accounts demand at login.
  token_hash text,
  created_timestamp timestamptz not null default now(),
  last_import_id bigint,
  unique (account_id, registration_id)
);
-- Birth date and ZIP leave a handful of voters; match_name() is then applied to those alone, because a million
-- stored match names cost an import more than everything else together. "zipcode" holds five digits.
create index voters_by_login on voters (birthdate, zipcode, account_id);
call protect_by_account('voters', 'select');

create table contact_preferences (
  account_id integer not null,
  voter_id bigint primary key references voters,
  email text not null default '',
  -- null: not yet validated; false: bounced, unsubscribed or complained.
  is_valid_email boolean,
  email_opt_in boolean not null default false,
  phone_sms text not null default '',
  sms_status text not null default 'none' check (sms_status in ('none', 'pending', 'active', 'opted-out')),
  sms_opt_in boolean not null default false,
  phone_voice text not null default '',
  pending_voice text not null default '',
  voice_opt_in boolean not null default false,
  email_do_not_contact_before time,
  email_do_not_contact_after time,
  sms_do_not_contact_before time,
  sms_do_not_contact_after time,
  voice_do_not_contact_before time,
  voice_do_not_contact_after time,
  language_preference text,
  is_confirmed boolean not null default false,
  updated_at timestamptz not null default now()
);
call protect_by_account('contact_preferences', 'select, insert, update');
