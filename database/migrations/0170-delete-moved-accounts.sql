-- The rows of an office that moved to another cell are copies that nobody reads. They may be deleted, those of append-only tables too; the record of
-- what was done here (audit_log) stays, because a chain proves it as a whole.

-- Whether the other cell has everything of the office.
create function has_moved(of_account integer) returns boolean stable
  language sql as $$ select exists (select from moved_accounts where account_id = of_account and moved_at is not null) $$;
revoke execute on function has_moved from public;

create function refuse_deletion_of_own_rows() returns trigger language plpgsql as $$
begin
  if exists (select from (select distinct account_id from deleted_rows) gone where not has_moved(gone.account_id)) then
    raise exception '% is append-only', tg_table_name;
  end if;
  return null;
end
$$;

drop trigger consents_append_only on consents;
create trigger consents_append_only before update or truncate on consents
  for each statement execute function refuse_change();
create trigger consents_kept after delete on consents referencing old table as deleted_rows
  for each statement execute function refuse_deletion_of_own_rows();

drop trigger withdrawn_imports_append_only on withdrawn_imports;
create trigger withdrawn_imports_append_only before update or truncate on withdrawn_imports
  for each statement execute function refuse_change();
create trigger withdrawn_imports_kept after delete on withdrawn_imports referencing old table as deleted_rows
  for each statement execute function refuse_deletion_of_own_rows();

create or replace function refuse_deletion_of_kept_events() returns trigger language plpgsql as $$
begin
  if exists (select from deleted_events gone
    left join ballots b on b.ballot_id = gone.ballot_id
    left join discarded_elections d on d.election_id = b.election_id
    where d.election_id is null and not has_moved(gone.account_id)) then
    raise exception 'ballot_events is append-only';
  end if;
  return null;
end
$$;
