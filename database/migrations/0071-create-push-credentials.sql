-- The post office's own way in, and what is looked up of estimates.

-- With which the post office pushes scans to an office's host: SHA-256 of `user:password`, of which the password is
-- drawn at random and shown once.
create table push_credentials (
  account_id integer primary key references accounts,
  credential_hash bytea not null,
  created_at timestamptz not null default now()
);
call protect_by_account('push_credentials', 'select');

-- Estimates whose day is over count from then on.
create index ballot_events_estimates on ballot_events (account_id, occurred_on) where kind = 'estimate';
