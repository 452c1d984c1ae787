-- From which addresses and numbers an office sent which kinds of messages, so that anybody can check a message. A row a
-- day for each, and nothing about who got them.

create table message_origins (
  account_id integer not null,
  -- UTC
  day date not null,
  channel text not null check (channel in ('email', 'sms', 'voice')),
  sender text not null,
  kind text not null,
  primary key (account_id, day, channel, sender, kind)
);
call protect_by_account('message_origins', 'select');
call open_to_worker('message_origins', 'select, insert, delete');
