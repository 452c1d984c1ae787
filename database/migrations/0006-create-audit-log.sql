-- Who did what, for the office to read. Append-only; has field names and keyed hashes, never a voter's data.

create table audit_log (
  -- Null: an attempt against the site where no office is known (the bare host, an operator's check of the site). Only
  -- the site's own operators see it.
  account_id integer,
  audit_id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- operator:NAME, voter:VOTER_ID, visitor:HASH or system
  actor text not null,
  action text not null,
  target text not null default '',
  details jsonb not null default '{}',
  constraint audit_log_site_wide check (account_id is not null or action like 'security.%')
);
create index audit_log_by_account on audit_log (account_id, audit_id desc);
call protect_by_account('audit_log', 'select, insert');
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

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

-- The audit as a chain of hashes: each link covers the one before it, so that nothing recorded can be altered, removed
-- or moved unnoticed. Entries are linked in batches by the worker, not as they are written: one writer at a time would
-- have every sign-in wait for the other.

create table audit_chain (
  position bigint primary key check (position > 0),
  audit_id bigint not null unique,
  hash bytea not null check (octet_length(hash) = 32)
);
create trigger audit_chain_append_only before update or delete or truncate on audit_chain
  for each statement execute function refuse_change();

-- The newest link of each day, as it was published.
create table audit_heads (
  day date primary key,
  position bigint not null,
  hash bytea not null,
  published_at timestamptz not null default now()
);
create trigger audit_heads_append_only before update or delete or truncate on audit_heads
  for each statement execute function refuse_change();
grant select on audit_heads to beacon_api;

-- Entries that wait to be linked; gaps and late commits make their numbers unfit to tell.
create table audit_unchained (audit_id bigint primary key);

create function await_chaining() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
  as $$
begin
  insert into audit_unchained select audit_id from added;
  return null;
end
$$;
revoke all on function await_chaining() from public;
create trigger audit_log_await_chaining after insert on audit_log
  referencing new table as added for each statement execute function await_chaining();
