-- The role of the API for what providers and USPS send: receipts, answers of voters, pushed scans. It reads and writes what these need, of
-- every office, and nothing else. It owns nothing.

do $$
begin
  if not exists (select from pg_roles where rolname = 'beacon_intake') then
    begin
      create role beacon_intake nologin;
    exception when duplicate_object or unique_violation then
      null; -- another database of this cluster was migrated at the same moment
    end;
  end if;
exception when insufficient_privilege then
  raise exception 'this user may not make the role beacon_intake' using hint =
    'Have an administrator run: create role beacon_intake';
end
$$;

-- Lets a role do this with the rows of every account, and see no column but these.
create procedure open_rows(role_name text, table_name regclass, privileges text)
  language plpgsql as $$
begin
  execute format('grant %s on %s to %I', privileges, table_name, role_name);
  if (select relrowsecurity from pg_class where oid = table_name) then
    execute format('create policy %I on %s to %I using (true)', role_name || '_rows', table_name, role_name);
  end if;
end
$$;

call open_rows('beacon_intake', 'accounts', 'select');
call open_rows('beacon_intake', 'account_languages', 'select');
call open_rows('beacon_intake', 'account_images', 'select');
call open_rows('beacon_intake', 'translation_overrides', 'select');
call open_rows('beacon_intake', 'elections', 'select');
call open_rows('beacon_intake', 'voters', 'select (account_id, voter_id, firstname, lastname, language_preference, is_active, is_confidential)');
call open_rows('beacon_intake', 'contact_channels', 'select, update');
call open_rows('beacon_intake', 'contact_preferences', 'select');
call open_rows('beacon_intake', 'consents', 'select, insert');
call open_rows('beacon_intake', 'suppressions', 'select, insert, update, delete');
call open_rows('beacon_intake', 'inbound_contacts', 'select, insert, update, delete');
call open_rows('beacon_intake', 'messages', 'select, insert, update');
call open_rows('beacon_intake', 'receipts', 'select, insert, delete');
call open_rows('beacon_intake', 'local_deliveries', 'select');
call open_rows('beacon_intake', 'providers', 'select, insert, update');
call open_rows('beacon_intake', 'audit_log', 'insert');
call open_rows('beacon_intake', 'push_credentials', 'select');
call open_rows('beacon_intake', 'imports', 'select, insert, update');
call open_rows('beacon_intake', 'import_gates', 'select, insert');
call open_rows('beacon_intake', 'withdrawn_imports', 'select');
call open_rows('beacon_intake', 'ballots', 'select, update');
call open_rows('beacon_intake', 'ballot_events', 'select, insert');
call open_rows('beacon_intake', 'mail_pieces', 'select');
call open_rows('beacon_intake', 'mail_scans', 'select, insert, update');
grant usage on sequence ballot_events_event_id_seq to beacon_intake;
grant select on schema_migrations to beacon_intake;
grant execute on function wake_messages(text, timestamptz) to beacon_intake;

-- COPY does not go through row-level security and ANALYZE wants the owner of the table, so imports by a lesser login ask for it.
create function analyze_loaded(loaded regclass)
  returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if loaded = 'voters'::regclass then
    analyze voters (account_id, registration_id, birthdate, zipcode);
  elsif loaded = 'mail_scans'::regclass then
    analyze mail_scans (account_id, tracking_code, scanned_at);
  end if;
end
$$;
revoke all on function analyze_loaded(regclass) from public;
grant execute on function analyze_loaded(regclass) to beacon_intake;
