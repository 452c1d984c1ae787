-- Accounts (election offices), and the means by which one office's rows stay out of another's sight.

-- The role under which the API reads and writes. It owns nothing, so row-level security binds it.
do $$
begin
  if not exists (select from pg_roles where rolname = 'beacon_api') then
    begin
      create role beacon_api nologin;
    exception when duplicate_object or unique_violation then
      null; -- another database of this cluster was migrated at the same moment
    end;
  end if;
  if not pg_has_role(current_user, 'beacon_api', 'usage') then
    execute format('grant beacon_api to %I', current_user);
  end if;
exception when insufficient_privilege then
  raise exception 'this user may not make or use the role beacon_api' using hint = format(
    'Have an administrator run: create role beacon_api; grant beacon_api to %I', current_user);
end
$$;

-- The account the current connection works for; null (and so no row at all) unless it was set.
create function current_account_id() returns integer
  language sql stable parallel safe
  return nullif(current_setting('beacon.account_id', true), '')::integer;

-- Puts a table under row-level security by its account_id, with just these privileges for the API.
create procedure protect_by_account(table_name regclass, privileges text)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', table_name);
  execute format(
    'create policy account_rows on %s using (account_id = current_account_id())', table_name);
  if privileges <> '' then
    execute format('grant %s on %s to beacon_api', privileges, table_name);
  end if;
end
$$;

-- A record is added to, never changed or taken away.
create function refuse_change() returns trigger
  language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end
$$;

create table accounts (
  account_id integer generated always as identity primary key,
  subdomain text not null unique check (subdomain ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  name text not null,
  county text not null,
  state text not null,
  time_zone text not null,
  -- Everything else an account file says, checked by its schema when applied and when read.
  settings jsonb not null,
  -- Counts every change of what an office shows, so that each process knows when what it keeps is out of date.
  content_version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
call protect_by_account('accounts', 'select');

create table account_languages (
  account_id integer not null references accounts,
  language text not null,
  position smallint not null,
  primary key (account_id, language)
);
call protect_by_account('account_languages', 'select');

-- Logos and backgrounds, kept here because PostgreSQL is the only place of state.
create table account_images (
  account_id integer not null references accounts,
  kind text not null check (kind in ('logo', 'background')),
  content_type text not null,
  bytes bytea not null,
  sha256 bytea not null,
  primary key (account_id, kind)
);
call protect_by_account('account_images', 'select');

create table elections (
  account_id integer not null references accounts,
  election_id bigint generated always as identity primary key,
  -- The office's own number, by which its files name the election.
  number text not null,
  name text not null,
  election_date date not null,
  is_active boolean not null,
  unique (account_id, number)
);
call protect_by_account('elections', 'select');

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

-- How often each page was seen on each day. No visitor, no address, no time of day.
create table page_views (
  account_id integer not null references accounts,
  day date not null,
  name text not null check (length(name) <= 60),
  views bigint not null,
  primary key (account_id, day, name)
);
call protect_by_account('page_views', 'select, insert, update');

-- What an office shows has changed: the account's content_version says so.
create function count_account_change() returns trigger
  language plpgsql as $$
begin
  new.content_version := old.content_version + 1;
  return new;
end
$$;
create trigger accounts_count_change before update on accounts
  for each row execute function count_account_change();

create function touch_account() returns trigger
  language plpgsql as $$
begin
  update accounts set content_version = content_version
    where account_id = case when tg_op = 'DELETE' then old.account_id else new.account_id end;
  return null;
end
$$;
create trigger account_languages_touch after insert or update or delete on account_languages
  for each row execute function touch_account();
create trigger account_images_touch after insert or update or delete on account_images
  for each row execute function touch_account();
create trigger translation_overrides_touch after insert or update or delete on translation_overrides
  for each row execute function touch_account();
create trigger no_ballot_messages_touch after insert or update or delete on no_ballot_messages
  for each row execute function touch_account();
create trigger office_pages_touch after insert or update or delete on office_pages
  for each row execute function touch_account();
create trigger release_notes_touch after insert or update or delete on release_notes
  for each row execute function touch_account();
create trigger flag_definitions_touch after insert or update or delete on flag_definitions
  for each row execute function touch_account();
