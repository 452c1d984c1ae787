-- Notices to old addresses, to the roll's own, and to addresses that have not proved themselves.
alter table messages drop constraint messages_kind_check;
alter table messages add constraint messages_kind_check check (kind in (
  'status', 'catch-up', 'correction', 'opt-in', 'confirmed', 'stopped', 'help', 'welcome', 'news-waiting', 'change',
  'registered'));

-- An import asks for these few, and not for all who get its news.
create index contact_channels_unproven on contact_channels (account_id, voter_id)
  where channel = 'email' and status = 'unproven' and is_opted_in and address <> '';
