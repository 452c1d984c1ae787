-- The console's first screen counts the sign-ins of a day each minute, without reading the rest of an office's log.
create index audit_log_sign_ins on audit_log (account_id, at) include (action)
  where action in ('session.create', 'session.refuse', 'session.lock');

-- It says when a provider of a channel lost traffic to another by its faults, or asked us to pause, and nothing else of
-- the providers, which belong to no office.
create function find_troubled_channels(at_instant timestamptz) returns setof text
  language sql stable security definer set search_path = public, pg_temp
begin atomic
  select distinct channel from providers where weight < resting_weight or paused_until > at_instant order by channel;
end;
revoke execute on function find_troubled_channels(timestamptz) from public;
grant execute on function find_troubled_channels(timestamptz) to beacon_office;

-- A clerk reads whether a voter is locked out, and nothing else of what is counted. The keys are hashes, which only
-- the product can make of a voter.
create function has_locked(asked_keys bytea[], lifetime_limit integer) returns boolean
  language sql stable security definer set search_path = public, pg_temp
  return exists (select from throttles where throttle_key = any (asked_keys) and total_failures >= lifetime_limit);
revoke execute on function has_locked(bytea[], integer) from public;
grant execute on function has_locked(bytea[], integer) to beacon_operator;
