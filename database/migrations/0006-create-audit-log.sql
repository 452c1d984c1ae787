-- Who did what, for the office to read. Append-only; holds field names and keyed hashes, never a voter's data.

create table audit_log (
  account_id integer not null,
  audit_id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- operator:NAME, voter:VOTER_ID, visitor:HASH or system
  actor text not null,
  action text not null,
  target text not null default '',
  details jsonb not null default '{}'
);
create index audit_log_by_account on audit_log (account_id, audit_id desc);
call protect_by_account('audit_log', 'select, insert');
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
