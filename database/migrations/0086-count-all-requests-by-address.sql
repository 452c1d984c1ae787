-- All that visitors can cause is counted by address: first sign-ups and contact codes as well, and the mails that there
-- is news for an address that was not confirmed.
drop index messages_requests_by_address;
create index messages_requests_by_address on messages (address, created_at)
  where kind in ('welcome', 'opt-in', 'registered', 'contact-code', 'news-waiting');
