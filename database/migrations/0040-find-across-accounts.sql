-- The few questions the API may ask before it knows the account, each a function so that nothing else can be asked.

-- Counts every change of what an office shows, so that each process knows when what it holds is out of date.
alter table accounts add column content_version bigint not null default 1;

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

create function find_account(asked_subdomain text)
  returns table (account_id integer, content_version bigint)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select a.account_id, a.content_version from accounts a where a.subdomain = asked_subdomain
  $$;

-- The bare host without a default account serves every office's voters: it learns which office is meant only from
-- who signs in. Confidential voters are never told apart from nobody, so they are not among the answers' rows.
create function find_login_candidates(typed_birthdate date, typed_zipcode text, typed_lastname text)
  returns table (
    account_id integer, voter_id bigint, registration_id text, firstname text, middlename text, token_hash text)
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select v.account_id, v.voter_id, v.registration_id,
      match_name(v.firstname), match_name(v.middlename), v.token_hash
    from voters v
    where v.birthdate = typed_birthdate and v.zipcode = typed_zipcode
      and match_name(v.lastname) = match_name(typed_lastname)
      and v.is_active and not v.is_confidential
  $$;

create function find_session_account(asked_hash bytea)
  returns integer
  language sql stable security definer set search_path = public, pg_temp
  as $$ select s.account_id from sessions s where s.session_hash = asked_hash $$;

revoke all on function find_account(text), find_login_candidates(date, text, text), find_session_account(bytea)
  from public;
grant execute on function find_account(text), find_login_candidates(date, text, text), find_session_account(bytea)
  to beacon_api;

-- A solution that ended in a further question (voter ID, token) may answer that question, for the same person.
alter table used_captchas add column continues_for bytea;
grant update on used_captchas to beacon_api;
