-- The role of the office's commands and of the process that serves the console: it reads and writes what offices have, of every office, and
-- nothing else. It owns nothing, so it can change neither the schema nor what is on record.

do $$
begin
  if not exists (select from pg_roles where rolname = 'beacon_operator') then
    begin
      create role beacon_operator nologin;
    exception when duplicate_object or unique_violation then
      null; -- another database of this cluster was migrated at the same moment
    end;
  end if;
exception when insufficient_privilege then
  raise exception 'this user may not make the role beacon_operator' using hint =
    'Have an administrator run: create role beacon_operator';
end
$$;

-- An office, its settings and its words.
call open_rows('beacon_operator', 'accounts', 'select, insert, update, delete');
call open_rows('beacon_operator', 'account_languages', 'select, insert, delete');
call open_rows('beacon_operator', 'account_images', 'select, insert, update, delete');
call open_rows('beacon_operator', 'elections', 'select, insert, update, delete');
call open_rows('beacon_operator', 'office_deadlines', 'select, insert, update, delete');
call open_rows('beacon_operator', 'translation_overrides', 'select, insert, update, delete');
call open_rows('beacon_operator', 'no_ballot_messages', 'select, insert, update, delete');
call open_rows('beacon_operator', 'office_pages', 'select, insert, update, delete');
call open_rows('beacon_operator', 'release_notes', 'select, insert, delete');
call open_rows('beacon_operator', 'flag_definitions', 'select, insert, update, delete');
call open_rows('beacon_operator', 'push_credentials', 'select, insert, update, delete');
call open_rows('beacon_operator', 'page_views', 'select, delete');

-- Its files, and what they change.
call open_rows('beacon_operator', 'imports', 'select, insert, update');
call open_rows('beacon_operator', 'import_gates', 'select, insert, update');
call open_rows('beacon_operator', 'withdrawn_imports', 'select, insert');
call open_rows('beacon_operator', 'voters', 'select, insert, update');
call open_rows('beacon_operator', 'replaced_voters', 'select, insert');
call open_rows('beacon_operator', 'ballots', 'select, insert, update');
call open_rows('beacon_operator', 'ballot_events', 'select, insert');
call open_rows('beacon_operator', 'ballot_codes', 'select, insert');
call open_rows('beacon_operator', 'replaced_ballots', 'select, insert');
call open_rows('beacon_operator', 'mail_pieces', 'select, insert, update');
call open_rows('beacon_operator', 'mail_scans', 'select, insert, update');
grant usage on sequence ballots_ballot_id_seq, ballot_events_event_id_seq to beacon_operator;
grant execute on function analyze_loaded(regclass) to beacon_operator;

-- Messages, and what voters chose.
call open_rows('beacon_operator', 'messages', 'select, insert, update');
call open_rows('beacon_operator', 'message_origins', 'select, delete');
call open_rows('beacon_operator', 'local_deliveries', 'select');
call open_rows('beacon_operator', 'daily_requests', 'select, update, delete');
call open_rows('beacon_operator', 'contact_channels', 'select');
call open_rows('beacon_operator', 'contact_preferences', 'select');
call open_rows('beacon_operator', 'consents', 'select');
call open_rows('beacon_operator', 'suppressions', 'select');
grant execute on function wake_messages(text, timestamptz) to beacon_operator;

-- Signing voters out and letting them in again, without reading what signs anybody in.
call open_rows('beacon_operator', 'sessions', 'select (account_id, voter_id), delete');
call open_rows('beacon_operator', 'throttles', 'select (throttle_key), delete');

-- An office without records is removed with its people; who they are is read as beacon_office, which sees one office.
call open_rows('beacon_operator', 'people', 'select (account_id), delete');
call open_rows('beacon_operator', 'person_roles', 'select (account_id), delete');
call open_rows('beacon_operator', 'passkeys', 'select (account_id), delete');
call open_rows('beacon_operator', 'answered_challenges', 'select (account_id), delete');
call open_rows('beacon_operator', 'invitations', 'select (account_id), delete');
call open_rows('beacon_operator', 'office_sessions', 'select (account_id), delete');

-- The record: added to and read.
call open_rows('beacon_operator', 'audit_log', 'select, insert');
call open_rows('beacon_operator', 'audit_unchained', 'select');
call open_rows('beacon_operator', 'audit_chain', 'select');
call open_rows('beacon_operator', 'audit_heads', 'select');
grant select on schema_migrations to beacon_operator;

-- Commands about one office read as beacon_office, which sees no other, as the console does.
grant select on translation_overrides, flag_definitions, page_views, mail_pieces, import_gates, office_deadlines to beacon_office;
