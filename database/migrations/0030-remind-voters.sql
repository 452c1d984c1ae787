-- Reminders of an envelope that its voter can fix.
alter table messages drop constraint messages_kind_check;
alter table messages add constraint messages_kind_check check (kind in ('status', 'catch-up', 'correction', 'opt-in',
  'confirmed', 'stopped', 'help', 'welcome', 'news-waiting', 'change', 'registered', 'contact-code', 'fix-reminder'));
create index messages_fix_reminders on messages (ballot_id) where kind = 'fix-reminder';
-- Few ballots at a time wait for their voters, and they are looked for every few minutes.
create index ballots_to_fix on ballots (account_id, ballot_id) where current_status = 'rejected-curable';
