-- What editors write at the console before voters read it. The processes that serve voters have no right to it.
create table text_drafts (
  account_id integer not null references accounts,
  -- A piece such as faq, or a section and a key: main:login.hero.title.
  text text not null,
  language text not null,
  title text not null,
  -- Null: back to the product's own words.
  body text,
  -- Grows with each save, so that nobody overwrites what somebody else has saved meanwhile.
  version integer not null,
  written_by text not null,
  written_at timestamptz not null,
  primary key (account_id, text, language)
);
call protect_by_account('text_drafts', '');
grant select, insert, update, delete on text_drafts to beacon_office;
call open_rows('beacon_operator', 'text_drafts', 'select (account_id), delete');

-- What voters read before and after each change, at the console and by commands.
create table text_versions (
  account_id integer not null references accounts,
  version_id bigint generated always as identity primary key,
  text text not null,
  language text not null,
  title_before text not null,
  -- Null: the product's own words.
  body_before text,
  title_after text not null,
  body_after text,
  -- As the audit names the person.
  changed_by text not null,
  changed_at timestamptz not null default now(),
  -- Another person, who has read it.
  reviewed_by text,
  reviewed_at timestamptz
);
create index text_versions_of_text on text_versions (account_id, text, language, version_id desc);
call protect_by_account('text_versions', '');
grant select, insert, update (reviewed_by, reviewed_at) on text_versions to beacon_office;
call open_rows('beacon_operator', 'text_versions', 'select (account_id), insert, delete');

-- Editors change an office's words at the console.
grant insert, update, delete on translation_overrides to beacon_office;
grant select, insert, update, delete on office_pages to beacon_office;
grant select, insert, update, delete on no_ballot_messages to beacon_office;
grant select, insert, delete on release_notes to beacon_office;
