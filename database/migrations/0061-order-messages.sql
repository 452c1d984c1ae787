-- Answers to a voter's own act, such as the confirmation of a STOP, go before a million alerts.
alter table messages add column is_answer boolean not null default false;
drop index messages_due;
create index messages_due on messages (channel, is_answer, deliver_after) where state = 'created';

-- Of texts sent lately, whose receipts are late?
create index messages_sent_lately on messages (sent_at) where channel = 'sms' and sent_at is not null;
