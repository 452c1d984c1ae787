-- What database/migrations/ make, for reading and for the review of a change; npm run schema writes it.

create type event_kind as enum ('office', 'scan', 'estimate', 'print');

create type message_state as enum ('created', 'held', 'sending', 'sent', 'delivered', 'failed-permanent', 'failed-temporary-exhausted', 'outcome-unknown', 'superseded', 'withdrawn', 'expired');

CREATE OR REPLACE FUNCTION public.analyze_loaded(loaded regclass)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if loaded = 'voters'::regclass then
    analyze voters (account_id, registration_id, birthdate, zipcode);
  elsif loaded = 'mail_scans'::regclass then
    analyze mail_scans (account_id, tracking_code, scanned_at);
  end if;
end
$function$;
revoke execute on function analyze_loaded(regclass) from public;
grant execute on function analyze_loaded(regclass) to beacon_intake;
grant execute on function analyze_loaded(regclass) to beacon_operator;

CREATE OR REPLACE FUNCTION public.await_chaining()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into audit_unchained select audit_id from added;
  return null;
end
$function$;
revoke execute on function await_chaining() from public;

CREATE OR REPLACE FUNCTION public.count_account_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.content_version := old.content_version + 1;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.current_account_id()
 RETURNS integer
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('beacon.account_id'::text, true), ''::text))::integer;

CREATE OR REPLACE FUNCTION public.database_identity()
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  number text := (select oid::text from pg_database where datname = current_database());
begin
  return (select system_identifier::text from pg_control_system()) || ':' || number;
exception when insufficient_privilege then
  return ':' || number;
end
$function$;
revoke execute on function database_identity() from public;
grant execute on function database_identity() to beacon_worker;

CREATE OR REPLACE FUNCTION public.delete_expired_sessions(at timestamp with time zone, idle_since timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ delete from sessions where expires_at <= at or last_active_at <= idle_since $function$;
revoke execute on function delete_expired_sessions(timestamp with time zone,timestamp with time zone) from public;
grant execute on function delete_expired_sessions(timestamp with time zone,timestamp with time zone) to beacon_api;

CREATE OR REPLACE FUNCTION public.discard_ballots(of_election bigint, after_voter bigint, most integer, at timestamp with time zone, OUT last_voter bigint, OUT is_busy boolean)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  of_account integer;
  leaving bigint[];
  leaving_voters bigint[];
  leaving_messages bigint[];
  gone jsonb := '{}';
  gone_rows bigint;
begin
  perform set_config('lock_timeout', '2s', true);
  is_busy := false;
  select account_id into of_account from discarded_elections
    where election_id = of_election and finished_at is null for update skip locked;
  if not found then
    is_busy := exists (select from discarded_elections where election_id = of_election and finished_at is null);
    return;
  end if;
  select array_agg(ballot_id), array_agg(voter_id), max(voter_id) into leaving, leaving_voters, last_voter from (
    select ballot_id, voter_id from ballots
    where account_id = of_account and election_id = of_election and voter_id >= after_voter
    order by voter_id, ballot_number limit most) next;
  if leaving is null then
    if after_voter = 0 then
      update discarded_elections set finished_at = at where election_id = of_election;
    end if;
    return;
  end if;

  -- By their voters, because messages have no index by ballot.
  select coalesce(array_agg(m.message_id), '{}') into leaving_messages
    from unnest(leaving, leaving_voters) b(ballot_id, voter_id)
    join messages m on m.voter_id = b.voter_id and m.ballot_id = b.ballot_id;
  delete from receipts where message_id = any(leaving_messages);
  get diagnostics gone_rows = row_count;
  gone := jsonb_build_object('receipts', gone_rows);
  delete from local_deliveries where message_id = any(leaving_messages);
  delete from fix_link_opens where message_id = any(leaving_messages);
  delete from messages where message_id = any(leaving_messages);
  get diagnostics gone_rows = row_count;
  gone := gone || jsonb_build_object('messages', gone_rows);
  -- An envelope that several ballots share, or whose number a later election uses again, keeps its scans.
  delete from mail_scans s using mail_pieces p
    where p.ballot_id = any(leaving) and s.account_id = of_account and s.tracking_code = p.tracking_code
      and not exists (select from mail_pieces other where other.account_id = of_account
        and other.tracking_code = p.tracking_code and other.ballot_id <> all(leaving));
  get diagnostics gone_rows = row_count;
  gone := gone || jsonb_build_object('mail_scans', gone_rows);
  delete from replaced_pieces where ballot_id = any(leaving);
  delete from mail_pieces where ballot_id = any(leaving);
  get diagnostics gone_rows = row_count;
  gone := gone || jsonb_build_object('mail_pieces', gone_rows);
  delete from fix_letters where account_id = of_account and ballot_id = any(leaving);
  delete from ballot_codes where ballot_id = any(leaving);
  delete from ballot_events where ballot_id = any(leaving);
  get diagnostics gone_rows = row_count;
  gone := gone || jsonb_build_object('ballot_events', gone_rows);
  delete from ballots where ballot_id = any(leaving);
  get diagnostics gone_rows = row_count;
  gone := gone || jsonb_build_object('ballots', gone_rows);
  update discarded_elections set deleted = (
      select jsonb_object_agg(key, coalesce((deleted->>key)::bigint, 0) + value::bigint) from jsonb_each_text(gone))
    where election_id = of_election;
end
$function$;
revoke execute on function discard_ballots(bigint,bigint,integer,timestamp with time zone) from public;
grant execute on function discard_ballots(bigint,bigint,integer,timestamp with time zone) to beacon_operator;
grant execute on function discard_ballots(bigint,bigint,integer,timestamp with time zone) to beacon_worker;

CREATE OR REPLACE FUNCTION public.discard_election(of_election bigint, at timestamp with time zone, by_actor text, details jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  leaving elections%rowtype;
begin
  perform set_config('lock_timeout', '2s', true);
  select * into strict leaving from elections where election_id = of_election for update;
  -- The lock of imports: a file that is being read has found this election.
  perform pg_advisory_xact_lock(hashtext('import'), leaving.account_id);
  if leaving.is_active or leaving.election_date >= at::date then
    raise exception 'election % is not over', leaving.number;
  end if;
  if exists (select from ballots b where b.election_id = of_election and b.ballot_id in (
    select ballot_id from messages where state in ('created', 'held') and ballot_id is not null
    union all select ballot_id from messages where state = 'sending')) then
    raise exception 'messages about election % wait to be sent', leaving.number;
  end if;
  insert into discarded_elections (account_id, election_id, number, name, election_date, discarded_at)
    values (leaving.account_id, of_election, leaving.number, leaving.name, leaving.election_date, at);
  delete from letter_codes where election_id = of_election;
  delete from office_deadlines where election_id = of_election;
  delete from elections where election_id = of_election;
  insert into audit_log (account_id, actor, action, target, details)
    values (leaving.account_id, by_actor, 'election.discard', leaving.number, details);
end
$function$;
revoke execute on function discard_election(bigint,timestamp with time zone,text,jsonb) from public;
grant execute on function discard_election(bigint,timestamp with time zone,text,jsonb) to beacon_operator;
grant execute on function discard_election(bigint,timestamp with time zone,text,jsonb) to beacon_worker;

CREATE OR REPLACE FUNCTION public.expire_imports(started_before timestamp with time zone, days integer, OUT waiting bigint, OUT replaced bigint)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  voters bigint;
  pieces bigint;
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
  delete from replaced_pieces r using imports i where i.import_id = r.import_id and i.started_at < started_before;
  get diagnostics pieces = row_count;
  replaced := replaced + voters + pieces;
end
$function$;
revoke execute on function expire_imports(timestamp with time zone,integer) from public;
grant execute on function expire_imports(timestamp with time zone,integer) to beacon_worker;

CREATE OR REPLACE FUNCTION public.find_account(asked_subdomain text)
 RETURNS TABLE(account_id integer, content_version bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (select from accounts a join moved_accounts m on m.account_id = a.account_id where a.subdomain = asked_subdomain) then
    raise exception 'the office is moving to another database' using errcode = 'cannot_connect_now';
  end if;
  return query select a.account_id, a.content_version from accounts a where a.subdomain = asked_subdomain;
end
$function$;
revoke execute on function find_account(text) from public;
grant execute on function find_account(text) to beacon_api;

CREATE OR REPLACE FUNCTION public.find_code_account(asked_guid uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select c.account_id from ballot_codes c where c.guid = asked_guid $function$;
revoke execute on function find_code_account(uuid) from public;
grant execute on function find_code_account(uuid) to beacon_api;

CREATE OR REPLACE FUNCTION public.find_letter_account(asked_hash bytea)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select c.account_id from letter_codes c where c.code_hash = asked_hash $function$;
revoke execute on function find_letter_account(bytea) from public;
grant execute on function find_letter_account(bytea) to beacon_api;

CREATE OR REPLACE FUNCTION public.find_login_candidates(typed_birthdate date, typed_zipcode text, typed_lastname text)
 RETURNS TABLE(account_id integer, voter_id bigint, registration_id text, firstname text, middlename text, token_hash text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select v.account_id, v.voter_id, v.registration_id,
      match_name(v.firstname), match_name(v.middlename), v.token_hash
    from voters v
    where v.birthdate = typed_birthdate and v.zipcode = typed_zipcode
      and match_name(v.lastname) = typed_lastname
      and v.is_active and not v.is_confidential
      and not exists (select from moved_accounts m where m.account_id = v.account_id)
  $function$;
revoke execute on function find_login_candidates(date,text,text) from public;
grant execute on function find_login_candidates(date,text,text) to beacon_api;

CREATE OR REPLACE FUNCTION public.find_session_account(asked_hash bytea)
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select s.account_id from sessions s where s.session_hash = asked_hash $function$;
revoke execute on function find_session_account(bytea) from public;
grant execute on function find_session_account(bytea) to beacon_api;

CREATE OR REPLACE FUNCTION public.find_troubled_channels(at_instant timestamp with time zone)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
BEGIN ATOMIC
 SELECT DISTINCT providers.channel
    FROM providers
   WHERE ((providers.weight < providers.resting_weight) OR (providers.paused_until > find_troubled_channels.at_instant))
   ORDER BY providers.channel;
END;
revoke execute on function find_troubled_channels(timestamp with time zone) from public;
grant execute on function find_troubled_channels(timestamp with time zone) to beacon_office;

CREATE OR REPLACE FUNCTION public.find_voters_named(lastnames text[], firstnames text[], givennames text[], after_name text, after_voter bigint, most integer)
 RETURNS TABLE(voter_id bigint, name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select distinct found.voter_id, found.name
    from unnest(lastnames, firstnames, givennames) typed(lastname, firstname, givenname)
    cross join lateral (
      select match_name(typed.lastname) || coalesce('!' || match_name(typed.firstname), '') as start
    ) folded
    cross join lateral (
      select v.voter_id, roll_name(v.lastname, v.firstname) collate "C" as name
      from voters v
      where v.account_id = current_account_id() and not v.is_confidential
        and match_name(typed.lastname) <> ''
        and roll_name(v.lastname, v.firstname) collate "C" >= greatest(folded.start collate "C", after_name collate "C")
        and roll_name(v.lastname, v.firstname) collate "C" < folded.start || chr(1114111)
        and (roll_name(v.lastname, v.firstname) collate "C" > after_name or v.voter_id > after_voter)
        and (typed.givenname is null
          or starts_with(match_name(v.firstname || v.middlename), match_name(typed.givenname)))
      order by roll_name(v.lastname, v.firstname) collate "C", v.voter_id
      limit most
    ) found
    order by found.name, found.voter_id
    limit most
  $function$;
revoke execute on function find_voters_named(text[],text[],text[],text,bigint,integer) from public;
grant execute on function find_voters_named(text[],text[],text[],text,bigint,integer) to beacon_office;

CREATE OR REPLACE FUNCTION public.find_voters_reached(asked_email text, asked_phone text)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select v.voter_id from voters v
    where v.account_id = current_account_id() and not v.is_confidential and (v.phone <> '' or v.email <> '')
      and roll_contacts(v.phone, v.email) @> array[coalesce(asked_email, asked_phone)]
  $function$;
revoke execute on function find_voters_reached(text,text) from public;
grant execute on function find_voters_reached(text,text) to beacon_office;

CREATE OR REPLACE FUNCTION public.has_locked(asked_keys bytea[], lifetime_limit integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
RETURN (EXISTS (SELECT FROM throttles WHERE ((throttles.throttle_key = ANY (has_locked.asked_keys)) AND (throttles.total_failures >= has_locked.lifetime_limit))));
revoke execute on function has_locked(bytea[],integer) from public;
grant execute on function has_locked(bytea[],integer) to beacon_operator;

CREATE OR REPLACE FUNCTION public.has_moved(of_account integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ select exists (select from moved_accounts where account_id = of_account and moved_at is not null) $function$;
revoke execute on function has_moved(integer) from public;

CREATE OR REPLACE FUNCTION public.is_sending_database()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$select coalesce((select identity = database_identity() from sending_database), true)$function$;
revoke execute on function is_sending_database() from public;
grant execute on function is_sending_database() to beacon_operator;
grant execute on function is_sending_database() to beacon_worker;

CREATE OR REPLACE FUNCTION public.list_weak_tokens(after bigint, most integer)
 RETURNS TABLE(voter_id bigint, token_hash text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select v.voter_id, v.token_hash from voters v where v.token_hash like 'keyed$%' and v.voter_id > after order by v.voter_id limit most
  $function$;
revoke execute on function list_weak_tokens(bigint,integer) from public;
grant execute on function list_weak_tokens(bigint,integer) to beacon_worker;

CREATE OR REPLACE FUNCTION public.match_name(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((name COLLATE "C") ~ '^[A-Za-z0-9!]*$'::text) THEN upper((name COLLATE "C")) WHEN ((name COLLATE "C") ~ '^[ -~]*$'::text) THEN upper((translate(name, ' ''`-_.,'::text, ''::text) COLLATE "C")) WHEN ((name COLLATE "C") ~ '^[ -~À-ÅÇ-ÏÑ-ÖÙ-Ýà-åç-ïñ-öù-ýÿ]*$'::text) THEN upper((regexp_replace(NORMALIZE(name, NFKD), '[\u0300-\u036f ''`\-_.,]+'::text, ''::text, 'g'::text) COLLATE "C")) ELSE upper(regexp_replace(translate(replace(replace(replace(replace(replace(replace(NORMALIZE(name, NFKD), 'ß'::text, 'ss'::text), 'ẞ'::text, 'ss'::text), 'æ'::text, 'ae'::text), 'Æ'::text, 'ae'::text), 'œ'::text, 'oe'::text), 'Œ'::text, 'oe'::text), 'øØłŁđĐðÐɖƉħĦŧŦıȷ'::text, 'oOlLdDdDdDhHtTij'::text), '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\s\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff''`´’‘‚‛\u02b9-\u02df\u02ee\u2032-\u2037\u05f3\u07f4\u07f5\ua78b\ua78c.,·‧・\-_\u2010-\u2015\u2043\u2212]'::text, ''::text, 'g'::text)) END;

CREATE OR REPLACE FUNCTION public.message_lane(is_answer boolean, kind text, status text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN is_answer THEN 'answers'::text WHEN ((kind = 'correction'::text) OR (status = ANY (ARRAY['rejected-curable'::text, 'undeliverable'::text]))) THEN 'urgent'::text ELSE 'news'::text END;

CREATE OR REPLACE FUNCTION public.number_by_cell()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  of_cell bigint := (select number from cell);
  one record;
  reached bigint;
  start_of_range bigint;
begin
  if of_cell is null then return; end if;
  for one in
    select a.attrelid::regclass as of_table, a.attname, a.atttypid,
      pg_get_serial_sequence(a.attrelid::regclass::text, a.attname) as sequence
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attidentity <> ''
  loop
    start_of_range := of_cell * case
      when one.atttypid = 'integer'::regtype then 10000000
      when one.of_table in ('ballot_events'::regclass, 'mail_scans'::regclass) then 1000000000000
      else 10000000000 end;
    execute format('select last_value from %s', one.sequence) into reached;
    if reached < start_of_range then perform setval(one.sequence, start_of_range, false); end if;
  end loop;
end
$function$;
revoke execute on function number_by_cell() from public;

CREATE OR REPLACE PROCEDURE public.open_rows(IN role_name text, IN table_name regclass, IN privileges text)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format('grant %s on %s to %I', privileges, table_name, role_name);
  if (select relrowsecurity from pg_class where oid = table_name) then
    execute format('create policy %I on %s to %I using (true)', role_name || '_rows', table_name, role_name);
  end if;
end
$procedure$;

CREATE OR REPLACE PROCEDURE public.open_to_worker(IN table_name regclass, IN privileges text)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format('grant %s on %s to beacon_worker', privileges, table_name);
  if (select relrowsecurity from pg_class where oid = table_name) then
    execute format('create policy worker_rows on %s to beacon_worker using (true)', table_name);
  end if;
end
$procedure$;

CREATE OR REPLACE PROCEDURE public.protect_by_account(IN table_name regclass, IN privileges text)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format('alter table %s enable row level security', table_name);
  execute format(
    'create policy account_rows on %s using (account_id = current_account_id())', table_name);
  if privileges <> '' then
    execute format('grant %s on %s to beacon_api', privileges, table_name);
  end if;
end
$procedure$;

CREATE OR REPLACE FUNCTION public.record_security_events(entries jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    insert into audit_log (account_id, actor, action, target, details)
    select (entry ->> 'accountId')::integer, 'network:' || (entry ->> 'network'), 'security.' || (entry ->> 'kind'),
      coalesce(entry ->> 'target', ''), jsonb_build_object('count', (entry ->> 'count')::integer)
    from jsonb_array_elements(entries) entry
  $function$;
revoke execute on function record_security_events(jsonb) from public;
grant execute on function record_security_events(jsonb) to beacon_api;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append-only', tg_table_name;
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_deletion_of_kept_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from deleted_events gone
    left join ballots b on b.ballot_id = gone.ballot_id
    left join discarded_elections d on d.election_id = b.election_id
    where d.election_id is null and not has_moved(gone.account_id)) then
    raise exception 'ballot_events is append-only';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_deletion_of_own_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from (select distinct account_id from deleted_rows) gone where not has_moved(gone.account_id)) then
    raise exception '% is append-only', tg_table_name;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.roll_contacts(phone text, email text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY[lower(email), CASE WHEN (starts_with(phone, '+1'::text) AND (length(phone) = 12)) THEN "right"(phone, 10) ELSE "right"(translate(phone, ' ()-.+'::text, ''::text), 10) END];

CREATE OR REPLACE FUNCTION public.roll_name(lastname text, firstname text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN match_name(((lastname || '!'::text) || firstname));

CREATE OR REPLACE FUNCTION public.strengthen_token(of_voter bigint, known_hash text, strong_hash text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    update voters set token_hash = strong_hash
    where strong_hash like 'keyed-scrypt$%' and known_hash not like 'keyed-scrypt$%' and voter_id = (
      select v.voter_id from voters v where v.voter_id = of_voter and v.token_hash = known_hash
      for no key update skip locked)
  $function$;
revoke execute on function strengthen_token(bigint,text,text) from public;
grant execute on function strengthen_token(bigint,text,text) to beacon_api;
grant execute on function strengthen_token(bigint,text,text) to beacon_worker;

CREATE OR REPLACE FUNCTION public.touch_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update accounts set content_version = content_version
    where account_id = case when tg_op = 'DELETE' then old.account_id else new.account_id end;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.wake_messages(wake_channel text, wake_at timestamp with time zone DEFAULT now())
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
begin
  if to_regnamespace('graphile_worker') is not null then
    perform graphile_worker.add_job(
      'deliver-messages', json_build_object('channel', wake_channel, 'lane', 0), run_at => wake_at,
      job_key => 'deliver-messages:' || wake_channel || case when wake_at > now() then ':later' else '' end,
      max_attempts => 1);
  end if;
end
$function$;
revoke execute on function wake_messages(text,timestamp with time zone) from public;
grant execute on function wake_messages(text,timestamp with time zone) to beacon_api;
grant execute on function wake_messages(text,timestamp with time zone) to beacon_intake;
grant execute on function wake_messages(text,timestamp with time zone) to beacon_operator;
grant execute on function wake_messages(text,timestamp with time zone) to beacon_worker;

create table account_images (
  account_id integer not null,
  kind text not null,
  content_type text not null,
  bytes bytea not null,
  sha256 bytea not null,
  constraint account_images_pkey PRIMARY KEY (account_id, kind),
  constraint account_images_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint account_images_kind_check CHECK ((kind = ANY (ARRAY['logo'::text, 'background'::text])))
);
alter table account_images enable row level security;
create policy account_rows on account_images for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on account_images for all to beacon_intake using (true);
create policy beacon_operator_rows on account_images for all to beacon_operator using (true);
create policy worker_rows on account_images for all to beacon_worker using (true);
grant select on account_images to beacon_api;
grant select on account_images to beacon_intake;
grant delete, insert, select, update on account_images to beacon_office;
grant delete, insert, select, update on account_images to beacon_operator;
grant select on account_images to beacon_worker;
CREATE TRIGGER account_images_touch AFTER INSERT OR DELETE OR UPDATE ON public.account_images FOR EACH ROW EXECUTE FUNCTION touch_account();

create table account_languages (
  account_id integer not null,
  language text not null,
  "position" smallint not null,
  constraint account_languages_pkey PRIMARY KEY (account_id, language),
  constraint account_languages_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
alter table account_languages enable row level security;
create policy account_rows on account_languages for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on account_languages for all to beacon_intake using (true);
create policy beacon_operator_rows on account_languages for all to beacon_operator using (true);
create policy worker_rows on account_languages for all to beacon_worker using (true);
grant select on account_languages to beacon_api;
grant select on account_languages to beacon_intake;
grant delete, insert, select on account_languages to beacon_office;
grant delete, insert, select on account_languages to beacon_operator;
grant select on account_languages to beacon_worker;
CREATE TRIGGER account_languages_touch AFTER INSERT OR DELETE OR UPDATE ON public.account_languages FOR EACH ROW EXECUTE FUNCTION touch_account();

create table accounts (
  account_id integer not null generated always as identity,
  subdomain text not null,
  name text not null,
  county text not null,
  state text not null,
  time_zone text not null,
  settings jsonb not null,
  content_version bigint not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint accounts_pkey PRIMARY KEY (account_id),
  constraint accounts_subdomain_key UNIQUE (subdomain),
  constraint accounts_subdomain_check CHECK ((subdomain ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text))
);
alter table accounts enable row level security;
create policy account_rows on accounts for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on accounts for all to beacon_intake using (true);
create policy beacon_operator_rows on accounts for all to beacon_operator using (true);
create policy worker_rows on accounts for all to beacon_worker using (true);
grant select on accounts to beacon_api;
grant select on accounts to beacon_intake;
grant select on accounts to beacon_office;
grant delete, insert, select, update on accounts to beacon_operator;
grant select on accounts to beacon_worker;
CREATE TRIGGER accounts_count_change BEFORE UPDATE ON public.accounts FOR EACH ROW EXECUTE FUNCTION count_account_change();

create table answered_challenges (
  account_id integer not null,
  challenge_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint answered_challenges_pkey PRIMARY KEY (challenge_hash),
  constraint answered_challenges_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE INDEX answered_challenges_by_account ON public.answered_challenges USING btree (account_id, expires_at);
alter table answered_challenges enable row level security;
create policy account_rows on answered_challenges for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on answered_challenges for all to beacon_operator using (true);
grant delete, insert, select on answered_challenges to beacon_office;
grant delete on answered_challenges to beacon_operator;

create table audit_chain (
  "position" bigint not null,
  audit_id bigint not null,
  hash bytea not null,
  constraint audit_chain_pkey PRIMARY KEY ("position"),
  constraint audit_chain_audit_id_key UNIQUE (audit_id),
  constraint audit_chain_hash_check CHECK ((octet_length(hash) = 32)),
  constraint audit_chain_position_check CHECK (("position" > 0))
);
grant select on audit_chain to beacon_operator;
grant insert, select on audit_chain to beacon_worker;
CREATE TRIGGER audit_chain_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_chain FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table audit_heads (
  day date not null,
  "position" bigint not null,
  hash bytea not null,
  published_at timestamp with time zone not null default now(),
  constraint audit_heads_pkey PRIMARY KEY (day)
);
grant select on audit_heads to beacon_api;
grant select on audit_heads to beacon_operator;
grant insert, select on audit_heads to beacon_worker;
CREATE TRIGGER audit_heads_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_heads FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table audit_log (
  account_id integer,
  audit_id bigint not null generated always as identity,
  at timestamp with time zone not null default now(),
  actor text not null,
  action text not null,
  target text not null default ''::text,
  details jsonb not null default '{}'::jsonb,
  constraint audit_log_pkey PRIMARY KEY (audit_id),
  constraint audit_log_site_wide CHECK (((account_id IS NOT NULL) OR (action ~~ 'security.%'::text)))
);
CREATE INDEX audit_log_attacks ON public.audit_log USING btree (account_id, at) WHERE (action = ANY (ARRAY['security.preferences-changed-in-mass'::text, 'security.spraying'::text]));
CREATE INDEX audit_log_by_account ON public.audit_log USING btree (account_id, audit_id DESC);
CREATE INDEX audit_log_sign_ins ON public.audit_log USING btree (account_id, at) INCLUDE (action) WHERE (action = ANY (ARRAY['session.create'::text, 'session.refuse'::text, 'session.lock'::text]));
alter table audit_log enable row level security;
create policy account_rows on audit_log for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on audit_log for all to beacon_intake using (true);
create policy beacon_operator_rows on audit_log for all to beacon_operator using (true);
create policy worker_rows on audit_log for all to beacon_worker using (true);
grant insert, select on audit_log to beacon_api;
grant insert on audit_log to beacon_intake;
grant insert, select on audit_log to beacon_office;
grant insert, select on audit_log to beacon_operator;
grant select on audit_log to beacon_worker;
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_await_chaining AFTER INSERT ON public.audit_log REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION await_chaining();

create table audit_unchained (
  audit_id bigint not null,
  constraint audit_unchained_pkey PRIMARY KEY (audit_id)
);
grant select on audit_unchained to beacon_operator;
grant delete, select on audit_unchained to beacon_worker;

create table availability_days (
  day date not null,
  first_minute timestamp with time zone not null,
  last_minute timestamp with time zone not null,
  answered smallint not null,
  constraint availability_days_pkey PRIMARY KEY (day),
  constraint availability_days_answered_check CHECK (((answered >= 1) AND (answered <= 1440)))
);
grant insert, select, update on availability_days to beacon_api;

create table ballot_codes (
  account_id integer not null,
  ballot_id bigint not null,
  guid uuid not null default gen_random_uuid(),
  created_at timestamp with time zone not null default now(),
  constraint ballot_codes_pkey PRIMARY KEY (ballot_id),
  constraint ballot_codes_guid_key UNIQUE (guid),
  constraint ballot_codes_ballot_id_fkey FOREIGN KEY (ballot_id) REFERENCES ballots(ballot_id)
);
alter table ballot_codes enable row level security;
create policy account_rows on ballot_codes for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on ballot_codes for all to beacon_operator using (true);
grant select on ballot_codes to beacon_api;
grant insert, select on ballot_codes to beacon_office;
grant insert, select on ballot_codes to beacon_operator;

create table ballot_events (
  account_id integer not null,
  event_id bigint not null generated always as identity,
  ballot_id bigint not null,
  kind event_kind not null,
  status text,
  raw_status text not null default ''::text,
  occurred_on date,
  occurred_at timestamp with time zone,
  reason_code text not null default ''::text,
  reason text not null default ''::text,
  import_id bigint,
  source_line bigint,
  scan_id bigint,
  recorded_at timestamp with time zone not null default now(),
  piece_import_id bigint,
  constraint ballot_events_pkey PRIMARY KEY (ballot_id, event_id)
);
CREATE INDEX ballot_events_estimates ON public.ballot_events USING btree (account_id, occurred_on) WHERE (kind = 'estimate'::event_kind);
CREATE INDEX ballot_events_to_fix ON public.ballot_events USING btree (account_id, ballot_id) WHERE (status = 'rejected-curable'::text);
alter table ballot_events enable row level security;
create policy account_rows on ballot_events for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on ballot_events for all to beacon_intake using (true);
create policy beacon_operator_rows on ballot_events for all to beacon_operator using (true);
create policy worker_rows on ballot_events for all to beacon_worker using (true);
grant select on ballot_events to beacon_api;
grant insert, select on ballot_events to beacon_intake;
grant select on ballot_events to beacon_office;
grant insert, select on ballot_events to beacon_operator;
grant select on ballot_events to beacon_worker;
CREATE TRIGGER ballot_events_append_only BEFORE UPDATE OR TRUNCATE ON public.ballot_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ballot_events_kept AFTER DELETE ON public.ballot_events REFERENCING OLD TABLE AS deleted_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion_of_kept_events();

create table ballots (
  account_id integer not null,
  ballot_id bigint not null generated always as identity,
  voter_id bigint not null,
  election_id bigint not null,
  ballot_number text not null default ''::text,
  office_record text,
  current_status text,
  current_event_id bigint,
  outbound_expected_delivery_date date,
  inbound_expected_delivery_date date,
  created_at timestamp with time zone not null default now(),
  office_expected_on date,
  constraint ballots_pkey PRIMARY KEY (ballot_id),
  constraint ballots_account_id_election_id_voter_id_ballot_number_key UNIQUE (account_id, election_id, voter_id, ballot_number)
);
CREATE INDEX ballots_by_number ON public.ballots USING btree (account_id, ballot_number) WHERE (ballot_number <> ''::text);
CREATE INDEX ballots_by_voter ON public.ballots USING btree (voter_id);
CREATE INDEX ballots_to_fix ON public.ballots USING btree (account_id, ballot_id) WHERE (current_status = 'rejected-curable'::text);
alter table ballots enable row level security;
create policy account_rows on ballots for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on ballots for all to beacon_intake using (true);
create policy beacon_operator_rows on ballots for all to beacon_operator using (true);
create policy worker_rows on ballots for all to beacon_worker using (true);
grant select on ballots to beacon_api;
grant select, update on ballots to beacon_intake;
grant select on ballots to beacon_office;
grant insert, select, update on ballots to beacon_operator;
grant select, update on ballots to beacon_worker;

create table cell (
  is_only boolean not null default true,
  number integer not null,
  constraint cell_pkey PRIMARY KEY (is_only),
  constraint cell_is_only_check CHECK (is_only),
  constraint cell_number_check CHECK (((number >= 0) AND (number <= 99)))
);
alter table cell enable row level security;

create table consents (
  account_id integer not null,
  consent_id bigint not null generated always as identity,
  voter_id bigint not null,
  channel text not null,
  address text not null,
  action text not null,
  source text not null,
  wording text not null,
  at timestamp with time zone not null default now(),
  constraint consents_pkey PRIMARY KEY (consent_id),
  constraint consents_voter_id_fkey FOREIGN KEY (voter_id) REFERENCES voters(voter_id),
  constraint consents_action_check CHECK ((action = ANY (ARRAY['asked'::text, 'confirmed'::text, 'withdrawn'::text]))),
  constraint consents_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'voice'::text])))
);
CREATE INDEX consents_by_voter ON public.consents USING btree (voter_id, channel, consent_id DESC);
alter table consents enable row level security;
create policy account_rows on consents for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on consents for all to beacon_intake using (true);
create policy beacon_operator_rows on consents for all to beacon_operator using (true);
create policy worker_rows on consents for all to beacon_worker using (true);
grant insert, select on consents to beacon_api;
grant insert, select on consents to beacon_intake;
grant select on consents to beacon_office;
grant select on consents to beacon_operator;
grant insert, select on consents to beacon_worker;
CREATE TRIGGER consents_append_only BEFORE UPDATE OR TRUNCATE ON public.consents FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER consents_kept AFTER DELETE ON public.consents REFERENCING OLD TABLE AS deleted_rows FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion_of_own_rows();

create table contact_channels (
  account_id integer not null,
  voter_id bigint not null,
  channel text not null,
  address text not null default ''::text,
  status text not null default 'unproven'::text,
  is_opted_in boolean not null default false,
  pending_address text not null default ''::text,
  hours_start time without time zone,
  hours_end time without time zone,
  updated_at timestamp with time zone not null default now(),
  is_reachable boolean not null generated always as ((is_opted_in AND (address <> ''::text) AND (status = 'proven'::text))) stored,
  constraint contact_channels_pkey PRIMARY KEY (voter_id, channel),
  constraint contact_channels_voter_id_fkey FOREIGN KEY (voter_id) REFERENCES voters(voter_id),
  constraint contact_channels_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'voice'::text]))),
  constraint contact_channels_status_check CHECK ((status = ANY (ARRAY['unproven'::text, 'proven'::text, 'stopped'::text, 'unusable'::text])))
);
CREATE INDEX contact_channels_by_address ON public.contact_channels USING btree (lower(address), channel) WHERE (address <> ''::text);
CREATE INDEX contact_channels_by_pending ON public.contact_channels USING btree (pending_address) WHERE (pending_address <> ''::text);
CREATE INDEX contact_channels_unproven ON public.contact_channels USING btree (account_id, voter_id) WHERE ((channel = 'email'::text) AND (status = 'unproven'::text) AND is_opted_in AND (address <> ''::text));
alter table contact_channels enable row level security;
create policy account_rows on contact_channels for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on contact_channels for all to beacon_intake using (true);
create policy beacon_operator_rows on contact_channels for all to beacon_operator using (true);
create policy worker_rows on contact_channels for all to beacon_worker using (true);
grant insert, select, update on contact_channels to beacon_api;
grant select, update on contact_channels to beacon_intake;
grant select on contact_channels to beacon_office;
grant select on contact_channels to beacon_operator;
grant select, update on contact_channels to beacon_worker;

create table contact_codes (
  account_id integer not null,
  contact_code_id bigint not null generated always as identity,
  session_id uuid not null,
  voter_id bigint not null,
  channel text not null,
  address text not null,
  tries smallint not null default 0,
  expires_at timestamp with time zone not null,
  constraint contact_codes_pkey PRIMARY KEY (contact_code_id),
  constraint contact_codes_session_id_key UNIQUE (session_id),
  constraint contact_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint contact_codes_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(session_id) ON DELETE CASCADE,
  constraint contact_codes_voter_id_fkey FOREIGN KEY (voter_id) REFERENCES voters(voter_id),
  constraint contact_codes_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'voice'::text])))
);
CREATE INDEX contact_codes_by_voter ON public.contact_codes USING btree (voter_id);
alter table contact_codes enable row level security;
create policy account_rows on contact_codes for all to public using ((account_id = current_account_id()));
grant delete, insert, select, update on contact_codes to beacon_api;

create table contact_preferences (
  account_id integer not null,
  voter_id bigint not null,
  language_preference text,
  is_confirmed boolean not null default false,
  updated_at timestamp with time zone not null default now(),
  constraint contact_preferences_pkey PRIMARY KEY (voter_id),
  constraint contact_preferences_voter_id_fkey FOREIGN KEY (voter_id) REFERENCES voters(voter_id)
);
alter table contact_preferences enable row level security;
create policy account_rows on contact_preferences for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on contact_preferences for all to beacon_intake using (true);
create policy beacon_operator_rows on contact_preferences for all to beacon_operator using (true);
create policy worker_rows on contact_preferences for all to beacon_worker using (true);
grant insert, select, update on contact_preferences to beacon_api;
grant select on contact_preferences to beacon_intake;
grant select on contact_preferences to beacon_office;
grant select on contact_preferences to beacon_operator;
grant select on contact_preferences to beacon_worker;

create table daily_requests (
  account_id integer not null,
  day date not null,
  email integer not null default 0,
  sms integer not null default 0,
  voice integer not null default 0,
  constraint daily_requests_pkey PRIMARY KEY (account_id, day),
  constraint daily_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
alter table daily_requests enable row level security;
create policy account_rows on daily_requests for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on daily_requests for all to beacon_operator using (true);
grant insert, select, update on daily_requests to beacon_api;
grant delete, select, update on daily_requests to beacon_operator;

create table discarded_elections (
  account_id integer not null,
  election_id bigint not null,
  number text not null,
  name text not null,
  election_date date not null,
  discarded_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  deleted jsonb not null default '{}'::jsonb,
  constraint discarded_elections_pkey PRIMARY KEY (election_id),
  constraint discarded_elections_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE INDEX discarded_elections_by_account ON public.discarded_elections USING btree (account_id);
CREATE INDEX discarded_elections_unfinished ON public.discarded_elections USING btree (election_id) WHERE (finished_at IS NULL);
alter table discarded_elections enable row level security;
create policy account_rows on discarded_elections for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on discarded_elections for all to beacon_operator using (true);
create policy worker_rows on discarded_elections for all to beacon_worker using (true);
grant select on discarded_elections to beacon_office;
grant delete, select on discarded_elections to beacon_operator;
grant select on discarded_elections to beacon_worker;

create table elections (
  account_id integer not null,
  election_id bigint not null generated always as identity,
  number text not null,
  name text not null,
  election_date date not null,
  is_active boolean not null,
  return_deadline jsonb,
  kind text,
  certified_on date,
  canvassed_on date,
  constraint elections_pkey PRIMARY KEY (election_id),
  constraint elections_account_id_number_key UNIQUE (account_id, number),
  constraint elections_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint elections_kind_check CHECK ((kind = ANY (ARRAY['general'::text, 'primary'::text, 'presidential-primary'::text, 'federal'::text, 'statewide'::text, 'special'::text, 'runoff'::text, 'municipal'::text, 'local'::text]))),
  constraint elections_return_deadline_check CHECK ((((return_deadline ->> 'rule'::text) = ANY (ARRAY['received'::text, 'postmarked'::text])) AND (return_deadline ? 'date'::text)))
);
alter table elections enable row level security;
create policy account_rows on elections for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on elections for all to beacon_intake using (true);
create policy beacon_operator_rows on elections for all to beacon_operator using (true);
create policy worker_rows on elections for all to beacon_worker using (true);
grant select on elections to beacon_api;
grant select on elections to beacon_intake;
grant delete, insert, select, update on elections to beacon_office;
grant delete, insert, select, update on elections to beacon_operator;
grant select on elections to beacon_worker;

create table fix_letters (
  account_id integer not null,
  ballot_id bigint not null,
  problem_id bigint not null,
  printed_at timestamp with time zone not null,
  printed_by text not null,
  constraint fix_letters_pkey PRIMARY KEY (account_id, ballot_id, problem_id)
);
alter table fix_letters enable row level security;
create policy account_rows on fix_letters for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on fix_letters for all to beacon_operator using (true);
grant insert, select on fix_letters to beacon_office;
grant delete, insert, select, update on fix_letters to beacon_operator;

create table fix_link_opens (
  account_id integer not null,
  message_id bigint not null,
  ballot_id bigint not null,
  event_id bigint not null,
  opened_at timestamp with time zone not null,
  constraint fix_link_opens_pkey PRIMARY KEY (message_id)
);
CREATE INDEX fix_link_opens_by_ballot ON public.fix_link_opens USING btree (account_id, ballot_id);
alter table fix_link_opens enable row level security;
create policy account_rows on fix_link_opens for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on fix_link_opens for all to beacon_operator using (true);
grant insert, select on fix_link_opens to beacon_api;
grant select on fix_link_opens to beacon_office;
grant delete, select on fix_link_opens to beacon_operator;

create table flag_definitions (
  account_id integer not null,
  flag_key text not null,
  definition jsonb not null,
  updated_at timestamp with time zone not null default now(),
  constraint flag_definitions_pkey PRIMARY KEY (account_id, flag_key),
  constraint flag_definitions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
alter table flag_definitions enable row level security;
create policy account_rows on flag_definitions for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on flag_definitions for all to beacon_operator using (true);
grant select on flag_definitions to beacon_api;
grant delete, insert, select, update on flag_definitions to beacon_office;
grant delete, insert, select, update on flag_definitions to beacon_operator;
CREATE TRIGGER flag_definitions_touch AFTER INSERT OR DELETE OR UPDATE ON public.flag_definitions FOR EACH ROW EXECUTE FUNCTION touch_account();

create table import_gates (
  account_id integer not null,
  import_id bigint not null,
  changes jsonb not null,
  messages bigint not null,
  rows_read bigint not null,
  reasons jsonb not null,
  decided_at timestamp with time zone not null,
  released_by text,
  released_at timestamp with time zone,
  corrected_by text,
  corrected_at timestamp with time zone,
  constraint import_gates_pkey PRIMARY KEY (import_id),
  constraint import_gates_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(import_id)
);
CREATE INDEX import_gates_by_account ON public.import_gates USING btree (account_id, import_id DESC);
alter table import_gates enable row level security;
create policy account_rows on import_gates for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on import_gates for all to beacon_intake using (true);
create policy beacon_operator_rows on import_gates for all to beacon_operator using (true);
grant select on import_gates to beacon_api;
grant insert, select on import_gates to beacon_intake;
grant select on import_gates to beacon_office;
grant insert, select, update on import_gates to beacon_operator;

create table imports (
  account_id integer not null,
  import_id bigint not null generated always as identity,
  format text not null,
  file_name text not null,
  file_sha256 bytea not null,
  state text not null,
  operator text not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone not null,
  rows_read bigint not null,
  rows_refused bigint not null,
  report jsonb not null,
  constraint imports_pkey PRIMARY KEY (import_id),
  constraint imports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint imports_state_check CHECK ((state = ANY (ARRAY['done'::text, 'nothing-new'::text, 'file-held'::text, 'messages-held'::text, 'released'::text, 'corrected'::text, 'discarded'::text, 'refused'::text])))
);
CREATE INDEX imports_by_account ON public.imports USING btree (account_id, import_id DESC);
CREATE INDEX imports_judged ON public.imports USING btree (account_id, started_at) WHERE ((report -> 'learned'::text) ?| ARRAY['changes'::text, 'roll'::text, 'pieces'::text]);
alter table imports enable row level security;
create policy account_rows on imports for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on imports for all to beacon_intake using (true);
create policy beacon_operator_rows on imports for all to beacon_operator using (true);
create policy worker_rows on imports for all to beacon_worker using (true);
grant select on imports to beacon_api;
grant insert, select, update on imports to beacon_intake;
grant select on imports to beacon_office;
grant insert, select, update on imports to beacon_operator;
grant select on imports to beacon_worker;

create table inbound_contacts (
  provider text not null,
  provider_message_id text not null,
  channel text not null,
  address text not null,
  keyword text not null,
  at timestamp with time zone not null default now(),
  constraint inbound_contacts_pkey PRIMARY KEY (provider, provider_message_id),
  constraint inbound_contacts_channel_check CHECK ((channel = ANY (ARRAY['sms'::text, 'voice'::text])))
);
CREATE INDEX inbound_contacts_by_address ON public.inbound_contacts USING btree (address, at DESC);
alter table inbound_contacts enable row level security;
create policy beacon_intake_rows on inbound_contacts for all to beacon_intake using (true);
grant delete, insert, select, update on inbound_contacts to beacon_intake;

create table invitations (
  account_id integer not null,
  invitation_hash bytea not null,
  name text not null,
  roles text[] not null,
  person_id bigint,
  invited_by text not null,
  expires_at timestamp with time zone not null,
  constraint invitations_pkey PRIMARY KEY (invitation_hash),
  constraint invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint invitations_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id)
);
CREATE INDEX invitations_by_account ON public.invitations USING btree (account_id, expires_at);
CREATE INDEX invitations_by_person ON public.invitations USING btree (person_id);
alter table invitations enable row level security;
create policy account_rows on invitations for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on invitations for all to beacon_operator using (true);
grant delete, insert, select on invitations to beacon_office;
grant delete on invitations to beacon_operator;

create table letter_codes (
  account_id integer not null,
  letter_code_id bigint not null generated always as identity,
  voter_id bigint not null,
  election_id bigint not null,
  code_hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint letter_codes_pkey PRIMARY KEY (letter_code_id),
  constraint letter_codes_code_hash_key UNIQUE (code_hash),
  constraint letter_codes_voter_id_key UNIQUE (voter_id),
  constraint letter_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint letter_codes_election_id_fkey FOREIGN KEY (election_id) REFERENCES elections(election_id),
  constraint letter_codes_voter_id_fkey FOREIGN KEY (voter_id) REFERENCES voters(voter_id)
);
alter table letter_codes enable row level security;
create policy account_rows on letter_codes for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on letter_codes for all to beacon_operator using (true);
grant select on letter_codes to beacon_api;
grant delete, insert on letter_codes to beacon_office;
grant delete, insert on letter_codes to beacon_operator;

create table local_deliveries (
  account_id integer not null,
  message_id bigint not null,
  channel text not null,
  sender text not null,
  recipient text not null,
  subject text,
  body text not null,
  html text,
  headers jsonb not null default '{}'::jsonb,
  received_at timestamp with time zone not null default now(),
  constraint local_deliveries_pkey PRIMARY KEY (message_id),
  constraint local_deliveries_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'voice'::text])))
);
CREATE INDEX local_deliveries_by_account ON public.local_deliveries USING btree (account_id, message_id DESC);
alter table local_deliveries enable row level security;
create policy account_rows on local_deliveries for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on local_deliveries for all to beacon_intake using (true);
create policy beacon_operator_rows on local_deliveries for all to beacon_operator using (true);
create policy worker_rows on local_deliveries for all to beacon_worker using (true);
grant select on local_deliveries to beacon_api;
grant select on local_deliveries to beacon_intake;
grant select on local_deliveries to beacon_operator;
grant delete, insert, select on local_deliveries to beacon_worker;

create table mail_incidents (
  account_id integer not null,
  facility text not null,
  day date not null,
  envelopes integer not null,
  zips text[] not null,
  noticed_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint mail_incidents_pkey PRIMARY KEY (account_id, facility, day),
  constraint mail_incidents_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint mail_incidents_envelopes_check CHECK ((envelopes >= 0))
);
alter table mail_incidents enable row level security;
create policy account_rows on mail_incidents for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on mail_incidents for all to beacon_operator using (true);
create policy beacon_worker_rows on mail_incidents for all to beacon_worker using (true);
grant select on mail_incidents to beacon_office;
grant delete, select on mail_incidents to beacon_operator;
grant insert, select, update on mail_incidents to beacon_worker;

create table mail_pieces (
  account_id integer not null,
  mail_piece_id bigint not null generated by default as identity,
  tracking_code text not null,
  ballot_id bigint not null,
  direction text,
  mailed_on date,
  import_id bigint,
  changed_by bigint,
  replaced_direction text,
  replaced_mailed_on date,
  constraint mail_pieces_pkey PRIMARY KEY (mail_piece_id),
  constraint mail_pieces_account_id_tracking_code_ballot_id_key UNIQUE (account_id, tracking_code, ballot_id),
  constraint mail_pieces_direction_check CHECK ((direction = ANY (ARRAY['outbound'::text, 'inbound'::text]))),
  constraint mail_pieces_tracking_code_check CHECK ((octet_length(tracking_code) = 20))
);
CREATE INDEX mail_pieces_by_ballot ON public.mail_pieces USING btree (ballot_id);
CREATE INDEX mail_pieces_by_change ON public.mail_pieces USING btree (changed_by) WHERE (changed_by IS NOT NULL);
CREATE INDEX mail_pieces_by_import ON public.mail_pieces USING btree (import_id) WHERE (import_id IS NOT NULL);
alter table mail_pieces enable row level security;
create policy account_rows on mail_pieces for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on mail_pieces for all to beacon_intake using (true);
create policy beacon_operator_rows on mail_pieces for all to beacon_operator using (true);
create policy beacon_worker_rows on mail_pieces for all to beacon_worker using (true);
grant select on mail_pieces to beacon_api;
grant select on mail_pieces to beacon_intake;
grant select on mail_pieces to beacon_office;
grant delete, insert, select, update on mail_pieces to beacon_operator;
grant select on mail_pieces to beacon_worker;

create table mail_scans (
  account_id integer not null,
  scan_id bigint not null generated always as identity,
  tracking_code text not null,
  routing_code text not null default ''::text,
  scanned_at timestamp without time zone not null,
  event_type text not null default ''::text,
  op_code text not null default ''::text,
  mail_phase text not null default ''::text,
  facility_city text not null default ''::text,
  facility_state text not null default ''::text,
  facility_zip text not null default ''::text,
  expected_delivery_date date,
  import_id bigint,
  received_at timestamp with time zone not null default now(),
  constraint mail_scans_pkey PRIMARY KEY (scan_id),
  constraint mail_scans_account_id_tracking_code_scanned_at_op_code_even_key UNIQUE (account_id, tracking_code, scanned_at, op_code, event_type),
  constraint mail_scans_tracking_code_check CHECK ((octet_length(tracking_code) = 20))
);
alter table mail_scans enable row level security;
create policy account_rows on mail_scans for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on mail_scans for all to beacon_intake using (true);
create policy beacon_operator_rows on mail_scans for all to beacon_operator using (true);
create policy beacon_worker_rows on mail_scans for all to beacon_worker using (true);
grant select on mail_scans to beacon_api;
grant insert, select, update on mail_scans to beacon_intake;
grant select on mail_scans to beacon_office;
grant insert, select, update on mail_scans to beacon_operator;
grant select on mail_scans to beacon_worker;

create table message_origins (
  account_id integer not null,
  day date not null,
  channel text not null,
  sender text not null,
  kind text not null,
  constraint message_origins_pkey PRIMARY KEY (account_id, day, channel, sender, kind),
  constraint message_origins_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'voice'::text])))
);
alter table message_origins enable row level security;
create policy account_rows on message_origins for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on message_origins for all to beacon_operator using (true);
create policy worker_rows on message_origins for all to beacon_worker using (true);
grant select on message_origins to beacon_api;
grant delete, select on message_origins to beacon_operator;
grant delete, insert, select on message_origins to beacon_worker;

create table messages (
  account_id integer not null,
  message_id bigint not null generated always as identity,
  kind text not null,
  event_id bigint,
  ballot_id bigint,
  status text,
  import_id bigint,
  voter_id bigint,
  channel text not null,
  address text not null,
  language text not null,
  cause text,
  corrects_message_id bigint,
  state message_state not null default 'created'::message_state,
  deliver_after timestamp with time zone not null,
  attempts smallint not null default 0,
  claimed_at timestamp with time zone,
  provider text,
  provider_message_id text,
  error_code text,
  created_at timestamp with time zone not null default now(),
  sent_at timestamp with time zone,
  finished_at timestamp with time zone,
  is_answer boolean not null default false,
  due_at timestamp with time zone,
  constraint messages_pkey PRIMARY KEY (message_id),
  constraint messages_once_per_event UNIQUE (event_id, channel, address),
  constraint messages_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'voice'::text]))),
  constraint messages_check CHECK (((event_id IS NOT NULL) OR (cause IS NOT NULL) OR (corrects_message_id IS NOT NULL))),
  constraint messages_kind_check CHECK ((kind = ANY (ARRAY['status'::text, 'catch-up'::text, 'correction'::text, 'opt-in'::text, 'confirmed'::text, 'stopped'::text, 'help'::text, 'welcome'::text, 'news-waiting'::text, 'change'::text, 'registered'::text, 'contact-code'::text, 'fix-reminder'::text, 'stopped-mail'::text])))
) with (fillfactor=70);
CREATE INDEX messages_about_fixes ON public.messages USING btree (ballot_id) WHERE (status = 'rejected-curable'::text);
CREATE INDEX messages_about_stopped_mail ON public.messages USING btree (ballot_id) WHERE (kind = 'stopped-mail'::text);
CREATE INDEX messages_by_import ON public.messages USING btree (import_id) WHERE (import_id IS NOT NULL);
CREATE INDEX messages_by_voter ON public.messages USING btree (voter_id, message_id DESC);
CREATE UNIQUE INDEX messages_corrected_once ON public.messages USING btree (corrects_message_id) WHERE (corrects_message_id IS NOT NULL);
CREATE INDEX messages_due ON public.messages USING btree (channel, is_answer, deliver_after) WHERE (state = 'created'::message_state);
CREATE INDEX messages_due_by_account ON public.messages USING btree (channel, account_id, message_lane(is_answer, kind, status), deliver_after) WHERE (state = 'created'::message_state);
CREATE INDEX messages_fix_reminders ON public.messages USING btree (ballot_id) WHERE (kind = 'fix-reminder'::text);
CREATE INDEX messages_in_flight ON public.messages USING btree (channel, claimed_at) WHERE (state = 'sending'::message_state);
CREATE UNIQUE INDEX messages_once_per_cause ON public.messages USING btree (cause, channel, address) WHERE (cause IS NOT NULL);
CREATE INDEX messages_over_daily_limit ON public.messages USING btree (account_id, channel) WHERE ((state = 'held'::message_state) AND (error_code = 'daily-limit'::text));
CREATE INDEX messages_requests_by_address ON public.messages USING btree (address, created_at) WHERE (kind = ANY (ARRAY['welcome'::text, 'opt-in'::text, 'registered'::text, 'contact-code'::text, 'news-waiting'::text]));
CREATE INDEX messages_restored ON public.messages USING btree (account_id) WHERE ((state = 'held'::message_state) AND (error_code = 'restored'::text));
CREATE INDEX messages_sent_lately ON public.messages USING btree (sent_at) WHERE ((channel = 'sms'::text) AND (sent_at IS NOT NULL));
CREATE INDEX messages_urgent ON public.messages USING btree (channel, deliver_after) WHERE ((state = 'created'::message_state) AND (status = 'rejected-curable'::text) AND (NOT is_answer));
CREATE INDEX messages_waiting_by_ballot ON public.messages USING btree (ballot_id) WHERE ((state = ANY (ARRAY['created'::message_state, 'held'::message_state])) AND (ballot_id IS NOT NULL));
alter table messages enable row level security;
create policy account_rows on messages for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on messages for all to beacon_intake using (true);
create policy beacon_operator_rows on messages for all to beacon_operator using (true);
create policy worker_rows on messages for all to beacon_worker using (true);
grant insert, select, update on messages to beacon_api;
grant insert, select, update on messages to beacon_intake;
grant select on messages to beacon_office;
grant insert, select, update on messages to beacon_operator;
grant delete, insert, select, update on messages to beacon_worker;

create table moved_accounts (
  account_id integer not null,
  began_at timestamp with time zone not null,
  moved_at timestamp with time zone,
  constraint moved_accounts_pkey PRIMARY KEY (account_id)
);
alter table moved_accounts enable row level security;

create table network_voters (
  network_key bytea not null,
  person_key bytea not null,
  expires_at timestamp with time zone not null,
  constraint network_voters_pkey PRIMARY KEY (network_key, person_key)
);
CREATE INDEX network_voters_by_expiry ON public.network_voters USING btree (expires_at);
grant delete, insert, select, update on network_voters to beacon_api;

create table no_ballot_messages (
  account_id integer not null,
  language text not null,
  title text not null,
  description text not null,
  constraint no_ballot_messages_pkey PRIMARY KEY (account_id, language),
  constraint no_ballot_messages_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
alter table no_ballot_messages enable row level security;
create policy account_rows on no_ballot_messages for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on no_ballot_messages for all to beacon_operator using (true);
grant select on no_ballot_messages to beacon_api;
grant delete, insert, select, update on no_ballot_messages to beacon_office;
grant delete, insert, select, update on no_ballot_messages to beacon_operator;
CREATE TRIGGER no_ballot_messages_touch AFTER INSERT OR DELETE OR UPDATE ON public.no_ballot_messages FOR EACH ROW EXECUTE FUNCTION touch_account();

create table office_deadlines (
  account_id integer not null,
  election_id bigint not null,
  defect text not null,
  ends_on date not null,
  ends_at text not null,
  reason text not null,
  set_by text not null,
  set_at timestamp with time zone not null default now(),
  constraint office_deadlines_pkey PRIMARY KEY (election_id, defect),
  constraint office_deadlines_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint office_deadlines_election_id_fkey FOREIGN KEY (election_id) REFERENCES elections(election_id),
  constraint office_deadlines_defect_check CHECK ((defect = ANY (ARRAY['signature-missing'::text, 'signature-differs'::text, 'witness-or-envelope-incomplete'::text, 'id-missing'::text, 'wrong-envelope'::text, 'other'::text]))),
  constraint office_deadlines_ends_at_check CHECK ((ends_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'::text)),
  constraint office_deadlines_reason_check CHECK ((reason <> ''::text))
);
alter table office_deadlines enable row level security;
create policy account_rows on office_deadlines for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on office_deadlines for all to beacon_operator using (true);
create policy worker_rows on office_deadlines for all to beacon_worker using (true);
grant select on office_deadlines to beacon_api;
grant delete, insert, select, update on office_deadlines to beacon_office;
grant delete, insert, select, update on office_deadlines to beacon_operator;
grant select on office_deadlines to beacon_worker;

create table office_pages (
  account_id integer not null,
  page text not null,
  language text not null,
  html text not null,
  updated_at timestamp with time zone not null default now(),
  constraint office_pages_pkey PRIMARY KEY (account_id, page, language),
  constraint office_pages_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint office_pages_page_check CHECK ((page = ANY (ARRAY['faq'::text, 'county-information'::text])))
);
alter table office_pages enable row level security;
create policy account_rows on office_pages for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on office_pages for all to beacon_operator using (true);
grant select on office_pages to beacon_api;
grant delete, insert, select, update on office_pages to beacon_office;
grant delete, insert, select, update on office_pages to beacon_operator;
CREATE TRIGGER office_pages_touch AFTER INSERT OR DELETE OR UPDATE ON public.office_pages FOR EACH ROW EXECUTE FUNCTION touch_account();

create table office_sessions (
  account_id integer not null,
  session_hash bytea not null,
  person_id bigint not null,
  created_at timestamp with time zone not null,
  last_active_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  proven_at timestamp with time zone,
  used_by text not null default 'console'::text,
  constraint office_sessions_pkey PRIMARY KEY (session_hash),
  constraint office_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint office_sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id),
  constraint office_sessions_used_by_check CHECK ((used_by = ANY (ARRAY['console'::text, 'command-line'::text])))
);
CREATE INDEX office_sessions_by_account ON public.office_sessions USING btree (account_id, expires_at);
CREATE INDEX office_sessions_by_person ON public.office_sessions USING btree (person_id);
alter table office_sessions enable row level security;
create policy account_rows on office_sessions for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on office_sessions for all to beacon_operator using (true);
grant delete, insert, select on office_sessions to beacon_office;
grant delete on office_sessions to beacon_operator;

create table page_views (
  account_id integer not null,
  day date not null,
  name text not null,
  views bigint not null,
  constraint page_views_pkey PRIMARY KEY (account_id, day, name),
  constraint page_views_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint page_views_name_check CHECK ((length(name) <= 60))
);
alter table page_views enable row level security;
create policy account_rows on page_views for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on page_views for all to beacon_operator using (true);
grant insert, select, update on page_views to beacon_api;
grant select on page_views to beacon_office;
grant delete, select on page_views to beacon_operator;

create table passkeys (
  account_id integer not null,
  credential_id text not null,
  person_id bigint not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}'::text[],
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (credential_id),
  constraint passkeys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint passkeys_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id)
);
CREATE INDEX passkeys_by_account ON public.passkeys USING btree (account_id);
CREATE INDEX passkeys_by_person ON public.passkeys USING btree (person_id);
alter table passkeys enable row level security;
create policy account_rows on passkeys for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on passkeys for all to beacon_operator using (true);
grant delete, insert, select on passkeys to beacon_office;
grant delete on passkeys to beacon_operator;

create table people (
  account_id integer not null,
  person_id bigint not null generated always as identity,
  issuer text not null,
  subject text not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone,
  removed_at timestamp with time zone,
  constraint people_pkey PRIMARY KEY (person_id),
  constraint people_account_id_issuer_subject_key UNIQUE (account_id, issuer, subject),
  constraint people_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
alter table people enable row level security;
create policy account_rows on people for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on people for all to beacon_operator using (true);
grant insert, select, update on people to beacon_office;
grant delete on people to beacon_operator;

create table person_roles (
  account_id integer not null,
  person_id bigint not null,
  role text not null,
  constraint person_roles_pkey PRIMARY KEY (person_id, role),
  constraint person_roles_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint person_roles_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(person_id),
  constraint person_roles_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'clerk'::text, 'confidential-clerk'::text, 'importer'::text, 'releaser'::text, 'editor'::text, 'admin'::text, 'state-observer'::text])))
);
CREATE INDEX person_roles_by_account ON public.person_roles USING btree (account_id);
alter table person_roles enable row level security;
create policy account_rows on person_roles for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on person_roles for all to beacon_operator using (true);
grant delete, insert, select on person_roles to beacon_office;
grant delete on person_roles to beacon_operator;

create table providers (
  provider text not null,
  channel text not null,
  weight smallint not null,
  resting_weight smallint not null,
  changed_at timestamp with time zone not null,
  paused_until timestamp with time zone,
  constraint providers_pkey PRIMARY KEY (provider, channel),
  constraint providers_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'voice'::text]))),
  constraint providers_resting_weight_check CHECK (((resting_weight >= 0) AND (resting_weight <= 100))),
  constraint providers_weight_check CHECK (((weight >= 0) AND (weight <= 100)))
);
alter table providers enable row level security;
create policy beacon_intake_rows on providers for all to beacon_intake using (true);
create policy worker_rows on providers for all to beacon_worker using (true);
grant insert, select, update on providers to beacon_intake;
grant insert, select, update on providers to beacon_worker;

create table push_credentials (
  account_id integer not null,
  credential_hash bytea not null,
  created_at timestamp with time zone not null default now(),
  constraint push_credentials_pkey PRIMARY KEY (account_id),
  constraint push_credentials_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
alter table push_credentials enable row level security;
create policy account_rows on push_credentials for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on push_credentials for all to beacon_intake using (true);
create policy beacon_operator_rows on push_credentials for all to beacon_operator using (true);
grant select on push_credentials to beacon_api;
grant select on push_credentials to beacon_intake;
grant insert, select, update on push_credentials to beacon_office;
grant delete, insert, select, update on push_credentials to beacon_operator;

create table receipts (
  account_id integer not null,
  receipt_id bigint not null generated always as identity,
  message_id bigint not null,
  provider text not null,
  outcome text not null,
  error_code text,
  address_fault text,
  at timestamp with time zone not null default now(),
  constraint receipts_pkey PRIMARY KEY (receipt_id),
  constraint receipts_address_fault_check CHECK ((address_fault = ANY (ARRAY['invalid'::text, 'stopped'::text]))),
  constraint receipts_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'failed-permanent'::text, 'failed-temporary'::text, 'complained'::text])))
);
CREATE UNIQUE INDEX receipts_once ON public.receipts USING btree (message_id, provider, outcome, address_fault) NULLS NOT DISTINCT;
alter table receipts enable row level security;
create policy account_rows on receipts for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on receipts for all to beacon_intake using (true);
create policy worker_rows on receipts for all to beacon_worker using (true);
grant delete, insert, select on receipts to beacon_intake;
grant select on receipts to beacon_office;
grant delete, insert, select on receipts to beacon_worker;

create table release_notes (
  account_id integer not null,
  release_note_id bigint not null generated always as identity,
  html text not null,
  published_at timestamp with time zone not null,
  constraint release_notes_pkey PRIMARY KEY (release_note_id),
  constraint release_notes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE INDEX release_notes_by_date ON public.release_notes USING btree (account_id, published_at DESC);
alter table release_notes enable row level security;
create policy account_rows on release_notes for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on release_notes for all to beacon_operator using (true);
grant select on release_notes to beacon_api;
grant delete, insert, select on release_notes to beacon_office;
grant delete, insert, select on release_notes to beacon_operator;
CREATE TRIGGER release_notes_touch AFTER INSERT OR DELETE OR UPDATE ON public.release_notes FOR EACH ROW EXECUTE FUNCTION touch_account();

create table replaced_ballots (
  account_id integer not null,
  import_id bigint not null,
  ballot_id bigint not null,
  office_record text,
  ballot_number text not null,
  office_expected_on date,
  constraint replaced_ballots_pkey PRIMARY KEY (import_id, ballot_id)
);
CREATE INDEX replaced_ballots_by_account ON public.replaced_ballots USING btree (account_id, import_id);
alter table replaced_ballots enable row level security;
create policy account_rows on replaced_ballots for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on replaced_ballots for all to beacon_operator using (true);
grant insert, select on replaced_ballots to beacon_operator;

create table replaced_images (
  account_id integer not null,
  kind text not null,
  content_type text,
  bytes bytea,
  sha256 bytea,
  replaced_at timestamp with time zone not null default now(),
  constraint replaced_images_pkey PRIMARY KEY (account_id, kind),
  constraint replaced_images_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint replaced_images_check CHECK ((num_nulls(content_type, bytes, sha256) = ANY (ARRAY[0, 3]))),
  constraint replaced_images_kind_check CHECK ((kind = ANY (ARRAY['logo'::text, 'background'::text])))
);
alter table replaced_images enable row level security;
create policy account_rows on replaced_images for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on replaced_images for all to beacon_operator using (true);
create policy worker_rows on replaced_images for all to beacon_worker using (true);
grant delete, insert, select, update on replaced_images to beacon_office;
grant delete, insert, select, update on replaced_images to beacon_operator;
grant delete, select on replaced_images to beacon_worker;

create table replaced_pieces (
  account_id integer not null,
  import_id bigint not null,
  ballot_id bigint not null,
  tracking_code text not null,
  direction text,
  mailed_on date,
  replaced_import_id bigint,
  replaced_direction text,
  replaced_mailed_on date,
  replaced_piece_id bigint,
  constraint replaced_pieces_pkey PRIMARY KEY (ballot_id, tracking_code, import_id)
);
CREATE INDEX replaced_pieces_by_import ON public.replaced_pieces USING btree (import_id);
alter table replaced_pieces enable row level security;
create policy account_rows on replaced_pieces for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on replaced_pieces for all to beacon_operator using (true);
grant delete, insert, select on replaced_pieces to beacon_operator;

create table replaced_voters (
  account_id integer not null,
  import_id bigint not null,
  voter_id bigint not null,
  was json not null,
  constraint replaced_voters_pkey PRIMARY KEY (import_id, voter_id)
);
alter table replaced_voters enable row level security;
create policy account_rows on replaced_voters for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on replaced_voters for all to beacon_operator using (true);
grant insert, select on replaced_voters to beacon_operator;

create table restores (
  account_id integer not null,
  restore_id bigint not null generated always as identity,
  begun_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  constraint restores_pkey PRIMARY KEY (restore_id),
  constraint restores_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE UNIQUE INDEX restores_open ON public.restores USING btree (account_id) WHERE (finished_at IS NULL);
alter table restores enable row level security;
create policy account_rows on restores for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on restores for all to beacon_operator using (true);
create policy worker_rows on restores for all to beacon_worker using (true);
grant delete, select, update on restores to beacon_operator;
grant select on restores to beacon_worker;

create table sender_use (
  sender text not null,
  recent jsonb not null,
  quarters jsonb not null,
  constraint sender_use_pkey PRIMARY KEY (sender)
) with (fillfactor=50);
alter table sender_use enable row level security;
create policy beacon_office_rows on sender_use for all to beacon_office using (true);
create policy worker_rows on sender_use for all to beacon_worker using (true);
grant select on sender_use to beacon_office;
grant insert, select, update on sender_use to beacon_worker;

create table sending_database (
  is_only boolean not null default true,
  identity text not null,
  constraint sending_database_pkey PRIMARY KEY (is_only),
  constraint sending_database_is_only_check CHECK (is_only)
);
alter table sending_database enable row level security;
create policy worker_rows on sending_database for all to beacon_worker using (true);
grant insert, select on sending_database to beacon_worker;

create table sessions (
  account_id integer not null,
  session_hash bytea not null,
  session_id uuid not null default gen_random_uuid(),
  voter_id bigint not null,
  created_at timestamp with time zone not null,
  last_active_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  has_contact_proof boolean not null default false,
  letter_code_id bigint,
  constraint sessions_pkey PRIMARY KEY (session_hash),
  constraint sessions_session_id_key UNIQUE (session_id),
  constraint sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint sessions_letter_code_id_fkey FOREIGN KEY (letter_code_id) REFERENCES letter_codes(letter_code_id) ON DELETE CASCADE,
  constraint sessions_voter_id_fkey FOREIGN KEY (voter_id) REFERENCES voters(voter_id)
);
CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_by_letter_code ON public.sessions USING btree (letter_code_id) WHERE (letter_code_id IS NOT NULL);
alter table sessions enable row level security;
create policy account_rows on sessions for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on sessions for all to beacon_operator using (true);
grant delete, insert, select, update on sessions to beacon_api;
grant delete on sessions to beacon_operator;

create table suppressions (
  account_id integer not null,
  channel text not null,
  address text not null,
  reason text not null,
  at timestamp with time zone not null default now(),
  constraint suppressions_pkey PRIMARY KEY (account_id, channel, address),
  constraint suppressions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint suppressions_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'voice'::text]))),
  constraint suppressions_reason_check CHECK ((reason = ANY (ARRAY['stopped'::text, 'unsubscribed'::text, 'bounced'::text, 'complained'::text, 'invalid'::text])))
);
alter table suppressions enable row level security;
create policy account_rows on suppressions for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on suppressions for all to beacon_intake using (true);
create policy beacon_operator_rows on suppressions for all to beacon_operator using (true);
create policy worker_rows on suppressions for all to beacon_worker using (true);
grant delete, insert, select, update on suppressions to beacon_api;
grant delete, insert, select, update on suppressions to beacon_intake;
grant select on suppressions to beacon_office;
grant select on suppressions to beacon_operator;
grant insert, select, update on suppressions to beacon_worker;

create table text_drafts (
  account_id integer not null,
  text text not null,
  language text not null,
  title text not null,
  body text,
  version integer not null,
  written_by text not null,
  written_at timestamp with time zone not null,
  constraint text_drafts_pkey PRIMARY KEY (account_id, text, language),
  constraint text_drafts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
alter table text_drafts enable row level security;
create policy account_rows on text_drafts for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on text_drafts for all to beacon_operator using (true);
grant delete, insert, select, update on text_drafts to beacon_office;
grant delete on text_drafts to beacon_operator;

create table text_versions (
  account_id integer not null,
  version_id bigint not null generated always as identity,
  text text not null,
  language text not null,
  title_before text not null,
  body_before text,
  title_after text not null,
  body_after text,
  changed_by text not null,
  changed_at timestamp with time zone not null default now(),
  reviewed_by text,
  reviewed_at timestamp with time zone,
  constraint text_versions_pkey PRIMARY KEY (version_id),
  constraint text_versions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
CREATE INDEX text_versions_of_text ON public.text_versions USING btree (account_id, text, language, version_id DESC);
alter table text_versions enable row level security;
create policy account_rows on text_versions for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on text_versions for all to beacon_operator using (true);
grant insert, select on text_versions to beacon_office;
grant delete, insert on text_versions to beacon_operator;

create table throttles (
  throttle_key bytea not null,
  failures integer not null,
  window_ends_at timestamp with time zone not null,
  day_failures integer not null default 0,
  day_ends_at timestamp with time zone not null default '-infinity'::timestamp with time zone,
  total_failures integer not null default 0,
  kept_until timestamp with time zone not null default now(),
  constraint throttles_pkey PRIMARY KEY (throttle_key)
);
CREATE INDEX throttles_by_end ON public.throttles USING btree (kept_until);
grant delete, insert, select, update on throttles to beacon_api;
grant delete on throttles to beacon_operator;

create table translation_overrides (
  account_id integer not null,
  language text not null,
  section text not null,
  key text not null,
  value text not null,
  constraint translation_overrides_pkey PRIMARY KEY (account_id, language, section, key),
  constraint translation_overrides_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id)
);
alter table translation_overrides enable row level security;
create policy account_rows on translation_overrides for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on translation_overrides for all to beacon_intake using (true);
create policy beacon_operator_rows on translation_overrides for all to beacon_operator using (true);
create policy worker_rows on translation_overrides for all to beacon_worker using (true);
grant select on translation_overrides to beacon_api;
grant select on translation_overrides to beacon_intake;
grant delete, insert, select, update on translation_overrides to beacon_office;
grant delete, insert, select, update on translation_overrides to beacon_operator;
grant select on translation_overrides to beacon_worker;
CREATE TRIGGER translation_overrides_touch AFTER INSERT OR DELETE OR UPDATE ON public.translation_overrides FOR EACH ROW EXECUTE FUNCTION touch_account();

create table upload_pieces (
  account_id integer not null,
  upload_id bigint not null,
  kind text not null,
  piece integer not null,
  bytes integer not null,
  sha256 bytea not null,
  sealed bytea not null,
  constraint upload_pieces_pkey PRIMARY KEY (upload_id, kind, piece),
  constraint upload_pieces_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint upload_pieces_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES uploads(upload_id),
  constraint upload_pieces_kind_check CHECK ((kind = ANY (ARRAY['file'::text, 'rejects'::text])))
);
CREATE INDEX upload_pieces_by_account ON public.upload_pieces USING btree (account_id);
alter table upload_pieces enable row level security;
create policy account_rows on upload_pieces for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on upload_pieces for all to beacon_operator using (true);
grant insert, select on upload_pieces to beacon_office;
grant delete, insert, select on upload_pieces to beacon_operator;

create table uploads (
  account_id integer not null,
  upload_id bigint not null generated always as identity,
  uploaded_by text not null,
  file_name text not null,
  size bigint not null,
  piece_size integer not null,
  salt bytea not null,
  key_id text not null,
  state text not null default 'receiving'::text,
  format text,
  election text,
  is_full boolean not null default false,
  ask_because text,
  check_number integer not null default 0,
  preview bytea,
  is_importable boolean not null default false,
  problem text,
  import_id bigint,
  queued_at timestamp with time zone,
  lease uuid,
  lease_until timestamp with time zone,
  attempts smallint not null default 0,
  progress_bytes bigint,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  erase_after timestamp with time zone,
  erased_at timestamp with time zone,
  constraint uploads_pkey PRIMARY KEY (upload_id),
  constraint uploads_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint uploads_piece_size_check CHECK ((piece_size > 0)),
  constraint uploads_size_check CHECK ((size > 0)),
  constraint uploads_state_check CHECK ((state = ANY (ARRAY['receiving'::text, 'checking'::text, 'ready'::text, 'importing'::text, 'imported'::text, 'deleted'::text])))
);
CREATE INDEX uploads_by_account ON public.uploads USING btree (account_id, upload_id DESC);
CREATE INDEX uploads_by_import ON public.uploads USING btree (import_id) WHERE (import_id IS NOT NULL);
CREATE INDEX uploads_queued ON public.uploads USING btree (queued_at) WHERE (queued_at IS NOT NULL);
CREATE INDEX uploads_unerased ON public.uploads USING btree (updated_at) WHERE (erased_at IS NULL);
alter table uploads enable row level security;
create policy account_rows on uploads for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on uploads for all to beacon_operator using (true);
grant insert, select, update on uploads to beacon_office;
grant delete, select, update on uploads to beacon_operator;

create table used_captchas (
  captcha_hash bytea not null,
  expires_at timestamp with time zone not null,
  continues_for bytea,
  work_level smallint not null default 0,
  constraint used_captchas_pkey PRIMARY KEY (captcha_hash)
);
CREATE INDEX used_captchas_by_expiry ON public.used_captchas USING btree (expires_at);
grant delete, insert, select, update on used_captchas to beacon_api;

create table voter_notes (
  note_id bigint not null generated always as identity,
  account_id integer not null,
  voter_id bigint not null,
  at timestamp with time zone not null,
  noted_by text not null,
  text text not null,
  constraint voter_notes_pkey PRIMARY KEY (note_id),
  constraint voter_notes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(account_id),
  constraint voter_notes_voter_id_fkey FOREIGN KEY (voter_id) REFERENCES voters(voter_id),
  constraint voter_notes_text_check CHECK (((char_length(text) >= 1) AND (char_length(text) <= 500)))
);
CREATE INDEX voter_notes_by_voter ON public.voter_notes USING btree (account_id, voter_id, note_id DESC);
alter table voter_notes enable row level security;
create policy account_rows on voter_notes for all to public using ((account_id = current_account_id()));
create policy beacon_operator_rows on voter_notes for all to beacon_operator using (true);
create policy worker_rows on voter_notes for all to beacon_worker using (true);
grant insert, select on voter_notes to beacon_office;
grant delete, select on voter_notes to beacon_operator;
grant delete, select on voter_notes to beacon_worker;

create table voters (
  account_id integer not null,
  voter_id bigint not null generated always as identity,
  registration_id text not null,
  firstname text not null default ''::text,
  middlename text not null default ''::text,
  lastname text not null,
  suffix text not null default ''::text,
  birthdate date,
  birthyear smallint,
  address text not null default ''::text,
  city text not null default ''::text,
  state text not null default ''::text,
  zipcode text not null default ''::text,
  county text not null default ''::text,
  precinct text not null default ''::text,
  phone text not null default ''::text,
  email text not null default ''::text,
  language_preference text,
  is_active boolean not null default true,
  is_confidential boolean not null default false,
  token_hash text,
  created_timestamp timestamp with time zone not null default now(),
  last_import_id bigint,
  row_hash text,
  token_comparison text,
  constraint voters_pkey PRIMARY KEY (voter_id),
  constraint voters_account_id_registration_id_key UNIQUE (account_id, registration_id)
) with (fillfactor=92);
CREATE INDEX voters_by_contact ON public.voters USING gin (roll_contacts(phone, email)) WITH (fastupdate='on', gin_pending_list_limit='65536') WHERE (((phone <> ''::text) OR (email <> ''::text)) AND (NOT is_confidential));
CREATE INDEX voters_by_login ON public.voters USING btree (birthdate, zipcode, account_id);
CREATE INDEX voters_by_name ON public.voters USING btree (account_id, roll_name(lastname, firstname) COLLATE "C", voter_id) WHERE (NOT is_confidential);
CREATE INDEX voters_by_odd_id ON public.voters USING btree (account_id, upper(regexp_replace(registration_id, '\s'::text, ''::text, 'g'::text)) COLLATE "C") WHERE (registration_id ~ '[[:lower:]\s]'::text);
CREATE INDEX voters_confidential ON public.voters USING btree (account_id, voter_id) WHERE is_confidential;
CREATE INDEX voters_with_weak_token ON public.voters USING btree (voter_id) WHERE (token_hash ~~ 'keyed$%'::text);
alter table voters enable row level security;
create policy account_rows on voters for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on voters for all to beacon_intake using (true);
create policy beacon_operator_rows on voters for all to beacon_operator using (true);
create policy worker_rows on voters for all to beacon_worker using (true);
grant select on voters to beacon_office;
grant insert, select, update on voters to beacon_operator;

create table withdrawn_imports (
  import_id bigint not null,
  account_id integer not null,
  withdrawn_at timestamp with time zone not null default now(),
  constraint withdrawn_imports_pkey PRIMARY KEY (import_id)
);
CREATE INDEX withdrawn_imports_by_account ON public.withdrawn_imports USING btree (account_id);
alter table withdrawn_imports enable row level security;
create policy account_rows on withdrawn_imports for all to public using ((account_id = current_account_id()));
create policy beacon_intake_rows on withdrawn_imports for all to beacon_intake using (true);
create policy beacon_operator_rows on withdrawn_imports for all to beacon_operator using (true);
create policy worker_rows on withdrawn_imports for all to beacon_worker using (true);
grant select on withdrawn_imports to beacon_api;
grant select on withdrawn_imports to beacon_intake;
grant select on withdrawn_imports to beacon_office;
grant insert, select on withdrawn_imports to beacon_operator;
grant select on withdrawn_imports to beacon_worker;
CREATE TRIGGER withdrawn_imports_append_only BEFORE UPDATE OR TRUNCATE ON public.withdrawn_imports FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER withdrawn_imports_kept AFTER DELETE ON public.withdrawn_imports REFERENCING OLD TABLE AS deleted_rows FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion_of_own_rows();
