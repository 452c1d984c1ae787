-- The role of the worker: it reads and writes what messages need, of every office, and nothing else. It owns nothing.

do $$
begin
  if not exists (select from pg_roles where rolname = 'beacon_worker') then
    begin
      create role beacon_worker nologin;
    exception when duplicate_object or unique_violation then
      null; -- another database of this cluster was migrated at the same moment
    end;
  end if;
exception when insufficient_privilege then
  raise exception 'this user may not make the role beacon_worker' using hint =
    'Have an administrator run: create role beacon_worker';
end
$$;

-- Lets the worker do this with the rows of every account, and see no column but these.
create procedure open_to_worker(table_name regclass, privileges text)
  language plpgsql as $$
begin
  execute format('grant %s on %s to beacon_worker', privileges, table_name);
  if (select relrowsecurity from pg_class where oid = table_name) then
    execute format('create policy worker_rows on %s to beacon_worker using (true)', table_name);
  end if;
end
$$;

call open_to_worker('accounts', 'select');
call open_to_worker('account_languages', 'select');
call open_to_worker('account_images', 'select');
call open_to_worker('translation_overrides', 'select');
call open_to_worker('elections', 'select');
call open_to_worker('imports', 'select');
call open_to_worker('voters', 'select (account_id, voter_id, firstname, lastname, language_preference, is_active, is_confidential)');
call open_to_worker('contact_channels', 'select, update');
call open_to_worker('contact_preferences', 'select');
call open_to_worker('consents', 'select, insert');
call open_to_worker('suppressions', 'select, insert, update');
call open_to_worker('ballots', 'select, update');
call open_to_worker('ballot_events', 'select');
call open_to_worker('withdrawn_imports', 'select');
call open_to_worker('messages', 'select, insert, update, delete');
call open_to_worker('receipts', 'select, insert, delete');
call open_to_worker('local_deliveries', 'select, insert, delete');
call open_to_worker('providers', 'select, insert, update');
call open_to_worker('audit_log', 'select');
call open_to_worker('audit_unchained', 'select, delete');
call open_to_worker('audit_chain', 'select, insert');
call open_to_worker('audit_heads', 'select, insert');
grant select on schema_migrations to beacon_worker;
grant execute on function wake_messages(text, timestamptz) to beacon_worker;
