-- Every message that follows from what happened and was agreed, and what providers and voters answered.

-- created → sending → sent → delivered is the way of a message; the rest are ends with a name.
create type message_state as enum (
  'created',
  -- Waits for a second operator.
  'held',
  -- Claimed: being handed to a provider, or handed and its outcome not yet known.
  'sending',
  -- The provider took it.
  'sent',
  -- The provider says it arrived.
  'delivered',
  -- It can never arrive at this address.
  'failed-permanent',
  -- Every attempt met a passing fault.
  'failed-temporary-exhausted',
  -- The provider may or may not have it and can not be asked; sending again could tell a voter twice.
  'outcome-unknown',
  -- A newer status made it untrue or pointless before it was sent.
  'superseded',
  -- Consent, address or import was taken back before it was sent.
  'withdrawn',
  -- Too late to be of use.
  'expired'
);

create table messages (
  account_id integer not null,
  -- Also our reference at every provider: it names the message in receipts and makes a repeat recognisable.
  message_id bigint generated always as identity primary key,
  -- The kinds of contract/src/messages.ts; a kind that no text exists for would fail only when it is sent.
  kind text not null check (kind in (
    'status', 'catch-up', 'correction', 'opt-in', 'confirmed', 'stopped', 'help', 'welcome', 'news-waiting', 'change',
    'registered')),
  -- Of a ballot's status: the event it tells of.
  event_id bigint,
  ballot_id bigint,
  status text,
  import_id bigint,
  -- Null for an answer to a number that no voter has.
  voter_id bigint,
  channel text not null check (channel in ('email', 'sms', 'voice')),
  address text not null,
  language text not null,
  -- Of any other message: what gave rise to it, so that it is made once.
  cause text,
  corrects_message_id bigint,
  state message_state not null default 'created',
  deliver_after timestamptz not null,
  attempts smallint not null default 0,
  claimed_at timestamptz,
  provider text,
  provider_message_id text,
  -- A code of the provider or of ours, never its prose, which may quote the address.
  error_code text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  finished_at timestamptz,
  -- Answers to a voter's own act, such as the confirmation of a STOP, go before a million alerts.
  is_answer boolean not null default false,
  constraint messages_once_per_event unique (event_id, channel, address),
  check (event_id is not null or cause is not null or corrects_message_id is not null)
) with (fillfactor = 70);
create unique index messages_once_per_cause on messages (cause, channel, address)
  where cause is not null;
create unique index messages_corrected_once on messages (corrects_message_id)
  where corrects_message_id is not null;
create index messages_due on messages (channel, is_answer, deliver_after) where state = 'created';
-- Of texts sent lately, whose receipts are late?
create index messages_sent_lately on messages (sent_at) where channel = 'sms' and sent_at is not null;
create index messages_in_flight on messages (channel, claimed_at) where state = 'sending';
create index messages_waiting_by_ballot on messages (ballot_id)
  where state in ('created', 'held') and ballot_id is not null;
create index messages_by_import on messages (import_id) where import_id is not null;
create index messages_by_voter on messages (voter_id, message_id desc);
-- How many requests an address got lately: a save counts them before it makes another.
create index messages_requests_by_address on messages (address, created_at) where kind in ('welcome', 'opt-in');
call protect_by_account('messages', 'select, insert, update');

-- What providers report of a message after they took it; may come before our own record that they did.
create table receipts (
  account_id integer not null,
  receipt_id bigint generated always as identity primary key,
  message_id bigint not null,
  provider text not null,
  outcome text not null check (outcome in ('delivered', 'failed-permanent', 'failed-temporary', 'complained')),
  error_code text,
  -- What the report shows of the address, whatever code the provider has for it.
  address_fault text check (address_fault in ('invalid', 'stopped')),
  at timestamptz not null default now()
);
-- One report of a provider is one receipt, however often it is repeated.
create unique index receipts_once on receipts (message_id, provider, outcome, address_fault) nulls not distinct;
call protect_by_account('receipts', '');

-- What came in by text or call: the keyword understood, never the words themselves.
create table inbound_contacts (
  provider text not null,
  -- The provider's own id; a repeated webhook finds itself here and is answered no second time.
  provider_message_id text not null,
  channel text not null check (channel in ('sms', 'voice')),
  address text not null,
  keyword text not null,
  at timestamptz not null default now(),
  primary key (provider, provider_message_id)
);
create index inbound_contacts_by_address on inbound_contacts (address, at desc);
alter table inbound_contacts enable row level security;

-- How well each provider does, shared by all workers (docs/operations.md, Failover).
create table providers (
  provider text not null,
  channel text not null check (channel in ('email', 'sms', 'voice')),
  -- Share of the traffic, 0 to 100, and the share it comes back to when it is well.
  weight smallint not null check (weight between 0 and 100),
  resting_weight smallint not null check (resting_weight between 0 and 100),
  changed_at timestamptz not null,
  -- Nothing is handed over before; the provider asked for it.
  paused_until timestamptz,
  primary key (provider, channel)
);
alter table providers enable row level security;

-- What the gate found in each import, and who let it through; also the history it compares with.
create table import_gates (
  account_id integer not null,
  import_id bigint primary key references imports,
  -- Ballots newly in each status: {"sent": 1200}.
  changes jsonb not null,
  messages bigint not null,
  rows_read bigint not null,
  -- Empty: passed by itself.
  reasons jsonb not null,
  decided_at timestamptz not null,
  released_by text,
  released_at timestamptz,
  corrected_by text,
  corrected_at timestamptz
);
create index import_gates_by_account on import_gates (account_id, import_id desc);
call protect_by_account('import_gates', 'select');

-- The local provider's mailbox: what would have gone out, for people and tests to read.
create table local_deliveries (
  account_id integer not null,
  message_id bigint primary key,
  channel text not null check (channel in ('email', 'sms', 'voice')),
  sender text not null,
  recipient text not null,
  subject text,
  body text not null,
  html text,
  headers jsonb not null default '{}',
  received_at timestamptz not null default now()
);
create index local_deliveries_by_account on local_deliveries (account_id, message_id desc);
call protect_by_account('local_deliveries', 'select');

-- Wakes the worker at commit. Callable by the API, which may not see the queue itself; quiet until a worker has
-- made its queue, because it looks for due messages when it starts.
create function wake_messages(wake_channel text, wake_at timestamptz default now()) returns void
  language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  if to_regnamespace('graphile_worker') is not null then
    perform graphile_worker.add_job(
      'deliver-messages', json_build_object('channel', wake_channel, 'lane', 0), run_at => wake_at,
      job_key => 'deliver-messages:' || wake_channel || case when wake_at > now() then ':later' else '' end,
      max_attempts => 1);
  end if;
end
$$;
revoke execute on function wake_messages from public;
grant execute on function wake_messages to beacon_api;
