-- Ballots that stopped in the mail: messages to voters where an office switched them on, and notices to the office.
alter table messages drop constraint messages_kind_check;
alter table messages add constraint messages_kind_check check (kind in ('status', 'catch-up', 'correction', 'opt-in',
  'confirmed', 'stopped', 'help', 'welcome', 'news-waiting', 'change', 'registered', 'contact-code', 'fix-reminder',
  'stopped-mail'));
create index messages_about_stopped_mail on messages (ballot_id) where kind = 'stopped-mail';

-- Many envelopes that stopped at one facility on one day, on record once. Counts, and nothing of a voter.
create table mail_incidents (
  account_id integer not null references accounts,
  -- Such as "PORT ALDEN, FL 34811"; empty: in many places, more at once than an office's voters get messages about.
  facility text not null,
  -- The day on which they were seen last; in many places: the day on which they were found.
  day date not null,
  -- Those that are still stopped; 0 once they moved or arrived.
  envelopes integer not null check (envelopes >= 0),
  -- Of the addresses on them, five digits.
  zips text[] not null,
  noticed_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, facility, day)
);
call protect_by_account('mail_incidents', '');
call open_rows('beacon_worker', 'mail_incidents', 'select, insert, update');
call open_rows('beacon_operator', 'mail_incidents', 'select, delete');
grant select on mail_incidents to beacon_office;

-- The worker looks where envelopes were seen last.
call open_rows('beacon_worker', 'mail_pieces', 'select');
call open_rows('beacon_worker', 'mail_scans', 'select');
