-- What imports leave is deleted once a night by the worker, whose login may neither read these rows nor write the record.

create function expire_imports(started_before timestamptz, days integer, out waiting bigint, out replaced bigint)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  voters bigint;
begin
  -- sequential scan: once a night
  with discarded as (
    update imports set state = 'discarded', report = report - 'heldFile' || jsonb_build_object(
      'discardedBecause', format('Nobody approved it within %s days.', days))
    where state = 'file-held' and started_at < started_before
    returning import_id, account_id, format
  ), recorded as (
    insert into audit_log (account_id, actor, action, target, details)
    select account_id, 'system', 'import.expire', import_id::text, json_build_object('format', format, 'days', days)
    from discarded
  )
  select count(*) into waiting from discarded;

  delete from replaced_voters r using imports i where i.import_id = r.import_id and i.started_at < started_before;
  get diagnostics voters = row_count;
  delete from replaced_ballots r using imports i where i.import_id = r.import_id and i.started_at < started_before;
  get diagnostics replaced = row_count;
  replaced := replaced + voters;
end
$$;
revoke execute on function expire_imports from public;
grant execute on function expire_imports to beacon_worker;
