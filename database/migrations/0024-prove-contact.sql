-- Accounts can hide a voter's contact addresses until the session proves to be the voter's (contact_proof: masked).

-- By a letter's code, by the security token, or by a code that was sent to one of the addresses.
alter table sessions add column has_contact_proof boolean not null default false;

-- The newest code that a session asked for. The code itself is derived from the row and the installation's secret.
create table contact_codes (
  account_id integer not null references accounts,
  contact_code_id bigint generated always as identity primary key,
  session_id uuid not null unique references sessions (session_id) on delete cascade,
  voter_id bigint not null references voters,
  channel text not null check (channel in ('email', 'sms', 'voice')),
  -- As messages have it.
  address text not null,
  tries smallint not null default 0,
  expires_at timestamptz not null
);
create index contact_codes_by_voter on contact_codes (voter_id);
call protect_by_account('contact_codes', 'select, insert, update, delete');

alter table messages drop constraint messages_kind_check;
alter table messages add constraint messages_kind_check check (kind in (
  'status', 'catch-up', 'correction', 'opt-in', 'confirmed', 'stopped', 'help', 'welcome', 'news-waiting', 'change',
  'registered', 'contact-code'));
