-- Voters as the roll of the office has them, and apart from it what they chose and agreed to.

-- A name without what people type differently: case, accents, spaces, every apostrophe, prime, dash and invisible
-- character that keyboards, phones and other systems put into names. Login compares through this one function, and the
-- throttle counts by it. The plain branch and the Unicode branch agree on ASCII; a test compares them.
create function match_name(name text) returns text
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
  -- The last row of the office's file for this voter, as a hash: a row that still has it need not be read further,
  -- which is nearly every row of a daily file. Null: read it.
  row_hash text,
  unique (account_id, registration_id)
  -- Room for a changed row beside the one it replaces, which spares its index entries.
) with (fillfactor = 92);
-- Birth date and ZIP leave a handful of voters; match_name() is then applied to those alone, because a million
-- stored match names cost an import more than everything else together. "zipcode" holds five digits.
create index voters_by_login on voters (birthdate, zipcode, account_id);
call protect_by_account('voters', 'select');

-- What a voter chose that is not of one channel.
create table contact_preferences (
  account_id integer not null,
  voter_id bigint primary key references voters,
  language_preference text,
  is_confirmed boolean not null default false,
  updated_at timestamptz not null default now()
);
call protect_by_account('contact_preferences', 'select, insert, update');

-- Whether a voter may be contacted, and where: one row for each voter and channel.
create table contact_channels (
  account_id integer not null,
  voter_id bigint not null references voters,
  channel text not null check (channel in ('email', 'sms', 'voice')),
  -- As the voter typed it, a phone number as E.164; compared as lower(address).
  address text not null default '',
  -- unproven: nobody has shown that the address is the voter's; proven: by a mailed code, YES or a call from it;
  -- stopped: whoever has it said stop; unusable: mail to it came back.
  status text not null default 'unproven' check (status in ('unproven', 'proven', 'stopped', 'unusable')),
  is_opted_in boolean not null default false,
  -- A number for calls that has not called us yet; until it does, "address" is the one we call.
  pending_address text not null default '',
  -- Allowed hours in the account's time zone; null: the voter chose none.
  hours_start time,
  hours_end time,
  updated_at timestamptz not null default now(),
  -- The one rule by which a voter's news may go to an address; suppressions are checked beside it.
  is_reachable boolean not null
    generated always as (is_opted_in and address <> '' and status = 'proven') stored,
  primary key (voter_id, channel)
);
create index contact_channels_by_address on contact_channels (lower(address), channel) where address <> '';
create index contact_channels_by_pending on contact_channels (pending_address) where pending_address <> '';
-- An import asks for these few, and not for all who get its news.
create index contact_channels_unproven on contact_channels (account_id, voter_id)
  where channel = 'email' and status = 'unproven' and is_opted_in and address <> '';
call protect_by_account('contact_channels', 'select, insert, update');

-- Each consent and its withdrawal: what, when, in which words, from where. Append-only; the latest row of a voter,
-- channel and address is in force, and nothing is sent without one (decisions, Preferences and consent).
create table consents (
  account_id integer not null,
  consent_id bigint generated always as identity primary key,
  voter_id bigint not null references voters,
  channel text not null check (channel in ('email', 'sms', 'voice')),
  address text not null,
  -- asked: opted in on a page, not yet proven; confirmed: proven by code, YES or call; withdrawn: no more.
  action text not null check (action in ('asked', 'confirmed', 'withdrawn')),
  -- Where it came from: 'preferences page', 'sms reply', 'voice call', 'unsubscribe link', 'complaint', …
  source text not null,
  -- Version of the words the voter agreed to (messages.json, `consent.version`).
  wording text not null,
  at timestamptz not null default now()
);
create index consents_by_voter on consents (voter_id, channel, consent_id desc);
call protect_by_account('consents', 'select, insert');
create trigger consents_append_only before update or delete or truncate on consents
  for each statement execute function refuse_change();

-- Addresses to which nothing goes, whoever has them: stopped, unsubscribed, bounced, complained.
create table suppressions (
  account_id integer not null references accounts,
  channel text not null check (channel in ('email', 'sms', 'voice')),
  address text not null,
  reason text not null check (reason in ('stopped', 'unsubscribed', 'bounced', 'complained', 'invalid')),
  at timestamptz not null default now(),
  primary key (account_id, channel, address)
);
call protect_by_account('suppressions', 'select, insert, update, delete');
