-- What leaves first. As data of the index, so that a few urgent messages of any office are found among a million others.
create function message_lane(is_answer boolean, kind text, status text) returns text
  language sql immutable parallel safe
  return case
    when is_answer then 'answers'
    -- A deadline runs, or what the voter read was wrong.
    when kind = 'correction' or status in ('rejected-curable', 'undeliverable') then 'urgent'
    else 'news'
  end;

-- By office: an office's texts and calls have a sender of their own, whose limit must not stop those of others.
create index messages_due_by_account on messages
  (channel, account_id, message_lane(is_answer, kind, status), deliver_after) where state = 'created';
-- The version before claims by messages_due and messages_urgent: they go with the version after this one.

-- What senders used of their limits lately, as all workers share it: parts by instant and by quarter of an hour.
create table sender_use (
  -- Channel and sender, such as `sms 41575` or `email relay`; `site` for the pace of news over all channels.
  sender text primary key,
  recent jsonb not null,
  quarters jsonb not null
) with (fillfactor = 50);
alter table sender_use enable row level security;
call open_to_worker('sender_use', 'select, insert, update');
call open_rows('beacon_office', 'sender_use', 'select');
