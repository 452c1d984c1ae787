-- Every account's dead sessions at once, which no single account's connection could see.
create function delete_expired_sessions(at timestamptz, idle_since timestamptz)
  returns void
  language sql security definer set search_path = public, pg_temp
  as $$ delete from sessions where expires_at <= at or last_active_at <= idle_since $$;
revoke all on function delete_expired_sessions(timestamptz, timestamptz) from public;
grant execute on function delete_expired_sessions(timestamptz, timestamptz) to beacon_api;
