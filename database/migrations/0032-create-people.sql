-- The people of an office: who they are, what they may do there, and their sessions at the console.

-- The role under which the console reads and writes. It owns nothing, so row-level security binds it, and what serves
-- voters has no right to any of these tables.
do $$
begin
  if not exists (select from pg_roles where rolname = 'beacon_office') then
    begin
      create role beacon_office nologin;
    exception when duplicate_object or unique_violation then
      null; -- another database of this cluster was migrated at the same moment
    end;
  end if;
  if not pg_has_role(current_user, 'beacon_office', 'usage') then
    execute format('grant beacon_office to %I', current_user);
  end if;
exception when insufficient_privilege then
  raise exception 'this user may not make or use the role beacon_office' using hint = format(
    'Have an administrator run: create role beacon_office; grant beacon_office to %I', current_user);
end
$$;

-- A person is whom an issuer says: the issuer and its subject, never an email address. Who works for several offices
-- has a row in each.
create table people (
  account_id integer not null references accounts,
  person_id bigint generated always as identity primary key,
  -- "passkey", or the address of the office's identity provider.
  issuer text not null,
  subject text not null,
  name text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz,
  -- The row stays for the record, and opens nothing.
  removed_at timestamptz,
  unique (account_id, issuer, subject)
);
call protect_by_account('people', '');
grant select, insert, update on people to beacon_office;

create table person_roles (
  account_id integer not null references accounts,
  person_id bigint not null references people,
  role text not null check (role in (
    'viewer', 'clerk', 'importer', 'releaser', 'editor', 'admin', 'state-observer')),
  primary key (person_id, role)
);
create index person_roles_by_account on person_roles (account_id);
call protect_by_account('person_roles', '');
grant select, insert, delete on person_roles to beacon_office;

create table passkeys (
  account_id integer not null references accounts,
  -- As WebAuthn writes it, base64url.
  credential_id text primary key,
  person_id bigint not null references people,
  public_key bytea not null,
  -- Uses that the authenticator counted; 0 where it counts none.
  counter bigint not null,
  transports text[] not null default '{}',
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_by_person on passkeys (person_id);
create index passkeys_by_account on passkeys (account_id);
call protect_by_account('passkeys', '');
grant select, insert, delete, update (counter, last_used_at) on passkeys to beacon_office;

-- Answered challenges, until they expire: each is good once.
create table answered_challenges (
  account_id integer not null references accounts,
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index answered_challenges_by_account on answered_challenges (account_id, expires_at);
call protect_by_account('answered_challenges', '');
grant select, insert, delete on answered_challenges to beacon_office;

create table invitations (
  account_id integer not null references accounts,
  -- SHA-256 of the link's secret, which is nowhere else.
  invitation_hash bytea primary key,
  name text not null,
  roles text[] not null,
  -- Who gets back in with a new passkey; null for a new person.
  person_id bigint references people,
  invited_by text not null,
  expires_at timestamptz not null
);
create index invitations_by_account on invitations (account_id, expires_at);
create index invitations_by_person on invitations (person_id);
call protect_by_account('invitations', '');
grant select, insert, delete on invitations to beacon_office;

create table office_sessions (
  account_id integer not null references accounts,
  -- SHA-256 of the cookie's secret, which is nowhere else.
  session_hash bytea primary key,
  person_id bigint not null references people,
  created_at timestamptz not null,
  last_active_at timestamptz not null,
  expires_at timestamptz not null
);
create index office_sessions_by_person on office_sessions (person_id);
create index office_sessions_by_account on office_sessions (account_id, expires_at);
call protect_by_account('office_sessions', '');
grant select, insert, delete, update (last_active_at) on office_sessions to beacon_office;

grant select, insert on audit_log to beacon_office;
grant select on accounts, account_languages, account_images, elections, imports, ballots, messages to beacon_office;
