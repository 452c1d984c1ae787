-- How many requests to confirm an address an office's visitors caused, by day and channel. Above the account's limit
-- they wait for the office (docs/operations.md, Sending stopped).

create table daily_requests (
  account_id integer not null references accounts,
  -- In the office's time zone.
  day date not null,
  email integer not null default 0,
  sms integer not null default 0,
  voice integer not null default 0,
  primary key (account_id, day)
);
call protect_by_account('daily_requests', 'select, insert, update');

create index messages_over_daily_limit on messages (account_id, channel)
  where state = 'held' and error_code = 'daily-limit';
