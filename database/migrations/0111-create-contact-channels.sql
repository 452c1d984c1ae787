-- Whether a voter may be contacted, and where: one row for each voter and channel.
create table contact_channels (
  account_id integer not null,
  voter_id bigint not null references voters,
  channel text not null check (channel in ('email', 'sms', 'voice')),
  -- As the voter typed it, a phone number as E.164; compared as lower(address).
  address text not null default '',
  -- unproven: nobody has shown that the address is the voter's; proven: by a mailed code, YES or a call from it;
  -- stopped: whoever has it said stop; unusable: mail to it came back.
  status text not null default 'unproven' check (status in ('unproven', 'proven', 'stopped', 'unusable')),
  is_opted_in boolean not null default false,
  -- A number for calls that has not called us yet; until it does, "address" is the one we call.
  pending_address text not null default '',
  -- Allowed hours in the account's time zone; null: the voter chose none.
  hours_start time,
  hours_end time,
  updated_at timestamptz not null default now(),
  -- The one rule by which a voter's news may go to an address; suppressions are checked beside it.
  is_reachable boolean not null
    generated always as (is_opted_in and address <> '' and status = 'proven') stored,
  primary key (voter_id, channel)
);
create index contact_channels_by_address on contact_channels (lower(address), channel) where address <> '';
create index contact_channels_by_pending on contact_channels (pending_address) where pending_address <> '';
call protect_by_account('contact_channels', 'select, insert, update');

insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in, pending_address,
  hours_start, hours_end, updated_at)
select p.account_id, p.voter_id, c.channel, c.address, c.status, c.is_opted_in, c.pending, c.starts, c.ends, p.updated_at
from contact_preferences p cross join lateral (values
  ('email', p.email,
    case p.is_valid_email when true then 'proven' when false then 'unusable' else 'unproven' end,
    p.email_opt_in, '', p.email_do_not_contact_before, p.email_do_not_contact_after),
  ('sms', p.phone_sms,
    case p.sms_status when 'active' then 'proven' when 'opted-out' then 'stopped' else 'unproven' end,
    p.sms_opt_in, '', p.sms_do_not_contact_before, p.sms_do_not_contact_after),
  ('voice', p.phone_voice,
    case when p.phone_voice <> '' then 'proven' else 'unproven' end,
    p.voice_opt_in, p.pending_voice, p.voice_do_not_contact_before, p.voice_do_not_contact_after)
) as c (channel, address, status, is_opted_in, pending, starts, ends)
where c.address <> '' or c.pending <> '' or c.is_opted_in or c.starts is not null or c.ends is not null;

-- What is left is the voter's, not a channel's.
alter table contact_preferences
  drop column email, drop column is_valid_email, drop column email_opt_in,
  drop column phone_sms, drop column sms_status, drop column sms_opt_in,
  drop column phone_voice, drop column pending_voice, drop column voice_opt_in,
  drop column email_do_not_contact_before, drop column email_do_not_contact_after,
  drop column sms_do_not_contact_before, drop column sms_do_not_contact_after,
  drop column voice_do_not_contact_before, drop column voice_do_not_contact_after;

-- A file that came before is found by its account's newest imports; nobody asks by its content alone.
drop index imports_by_content;

-- One report of a provider is one receipt, however often it is repeated.
delete from receipts r using receipts earlier
where earlier.message_id = r.message_id and earlier.provider = r.provider and earlier.outcome = r.outcome
  and earlier.receipt_id < r.receipt_id;
-- What the report shows of the address, whatever code the provider has for it.
alter table receipts add column address_fault text check (address_fault in ('invalid', 'stopped'));
create unique index receipts_once on receipts (message_id, provider, outcome, address_fault) nulls not distinct;
drop index receipts_by_message;
