-- Attempts against a site are on record too. Where no office is known (the bare host, an operator's check of the
-- site), an entry has no account and is seen only by the site's own operators.
alter table audit_log alter column account_id drop not null;
alter table audit_log add constraint audit_log_site_wide check (account_id is not null or action like 'security.%');

-- Several at once and of any account, which no connection of the API could write by itself.
create function record_security_events(entries jsonb)
  returns void
  language sql security definer set search_path = public, pg_temp
  as $$
    insert into audit_log (account_id, actor, action, target, details)
    select (entry ->> 'accountId')::integer, 'network:' || (entry ->> 'network'), 'security.' || (entry ->> 'kind'),
      coalesce(entry ->> 'target', ''), jsonb_build_object('count', (entry ->> 'count')::integer)
    from jsonb_array_elements(entries) entry
  $$;
revoke all on function record_security_events(jsonb) from public;
grant execute on function record_security_events(jsonb) to beacon_api;
