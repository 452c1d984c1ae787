-- The kinds of contract/src/messages.ts; a kind that no text exists for would fail only when it is sent.
alter table messages add constraint messages_kind_check check (kind in (
  'status', 'catch-up', 'correction', 'opt-in', 'confirmed', 'stopped', 'help', 'welcome', 'change'));
alter table local_deliveries add constraint local_deliveries_channel_check check (channel in ('email', 'sms', 'voice'));
