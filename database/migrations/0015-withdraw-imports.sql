-- What a ballot file replaced, so that a wrong file can be put back. Deleted after some weeks.

create table replaced_ballots (
  account_id integer not null,
  import_id bigint not null,
  ballot_id bigint not null,
  -- As they were before the import.
  office_record text,
  ballot_number text not null,
  primary key (import_id, ballot_id)
);
create index replaced_ballots_by_account on replaced_ballots (account_id, import_id);
call protect_by_account('replaced_ballots', '');

-- Events are never deleted. Those of these imports, which were put back, no longer count.
create table withdrawn_imports (
  import_id bigint primary key,
  account_id integer not null,
  withdrawn_at timestamptz not null default now()
);
create index withdrawn_imports_by_account on withdrawn_imports (account_id);
call protect_by_account('withdrawn_imports', 'select');
create trigger withdrawn_imports_append_only before update or delete or truncate on withdrawn_imports
  for each statement execute function refuse_change();
