-- What a voter said on the phone, as a clerk of the office notes it. Personal data that people type: kept as long as the
-- office's messages, and read by those alone who may look the voter up.
create table voter_notes (
  note_id bigint generated always as identity primary key,
  account_id integer not null references accounts,
  voter_id bigint not null references voters,
  at timestamptz not null,
  -- The person, as the audit names one.
  noted_by text not null,
  text text not null check (char_length(text) between 1 and 500)
);
create index voter_notes_by_voter on voter_notes (account_id, voter_id, note_id desc);
call protect_by_account('voter_notes', '');
call open_rows('beacon_operator', 'voter_notes', 'select, delete');
call open_to_worker('voter_notes', 'select, delete');
grant select, insert on voter_notes to beacon_office;
