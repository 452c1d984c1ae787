-- An office's own words, and its switches.

create table translation_overrides (
  account_id integer not null references accounts,
  language text not null,
  section text not null,
  key text not null,
  value text not null,
  primary key (account_id, language, section, key)
);
call protect_by_account('translation_overrides', 'select');

create table no_ballot_messages (
  account_id integer not null references accounts,
  language text not null,
  title text not null,
  description text not null,
  primary key (account_id, language)
);
call protect_by_account('no_ballot_messages', 'select');

-- Sanitised HTML: FAQ and county information.
create table office_pages (
  account_id integer not null references accounts,
  page text not null check (page in ('faq', 'county-information')),
  language text not null,
  html text not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, page, language)
);
call protect_by_account('office_pages', 'select');

create table release_notes (
  account_id integer not null references accounts,
  release_note_id bigint generated always as identity primary key,
  html text not null,
  published_at timestamptz not null
);
create index release_notes_by_date on release_notes (account_id, published_at desc);
call protect_by_account('release_notes', 'select');

-- flagd-format definitions that replace a flag's declared default.
create table flag_definitions (
  account_id integer not null references accounts,
  flag_key text not null,
  definition jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, flag_key)
);
call protect_by_account('flag_definitions', 'select');
