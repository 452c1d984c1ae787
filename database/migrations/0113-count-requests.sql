-- How many requests an address got lately: a save counts them before it makes another.
create index messages_requests_by_address on messages (address, created_at) where kind in ('welcome', 'opt-in');
