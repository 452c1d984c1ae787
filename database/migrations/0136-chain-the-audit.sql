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
create trigger audit_log_await_chaining after insert on audit_log
  referencing new table as added for each statement execute function await_chaining();

insert into audit_unchained select audit_id from audit_log;
