-- What becomes of the envelopes that voters can fix: who opened the link of a message, and who got a letter.

-- Only the fact that a link was opened, once a message: nothing about the visitor.
create table fix_link_opens (
  account_id integer not null,
  message_id bigint primary key,
  ballot_id bigint not null,
  -- The office's record that the message was about.
  event_id bigint not null,
  opened_at timestamptz not null
);
create index fix_link_opens_by_ballot on fix_link_opens (account_id, ballot_id);
call protect_by_account('fix_link_opens', 'select, insert');
call open_rows('beacon_operator', 'fix_link_opens', 'select, delete');
grant select on fix_link_opens to beacon_office;

-- A letter that was written to a print file, once for each problem of a ballot.
create table fix_letters (
  account_id integer not null,
  ballot_id bigint not null,
  -- The office's first record of the problem.
  problem_id bigint not null,
  printed_at timestamptz not null,
  printed_by text not null,
  primary key (account_id, ballot_id, problem_id)
);
call protect_by_account('fix_letters', '');
call open_rows('beacon_operator', 'fix_letters', 'select, insert, update, delete');
grant select on fix_letters to beacon_office;

-- Few of an office's ballots ever need a fix.
create index ballot_events_to_fix on ballot_events (account_id, ballot_id) where status = 'rejected-curable';
create index messages_about_fixes on messages (ballot_id) where status = 'rejected-curable';
-- What is urgent is claimed before what is many.
create index messages_urgent on messages (channel, deliver_after)
  where state = 'created' and status = 'rejected-curable' and not is_answer;
