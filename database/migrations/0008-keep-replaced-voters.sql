-- What a voter file replaced on the roll, so that a wrong roll can be put back. Deleted after some weeks.

create table replaced_voters (
  account_id integer not null,
  import_id bigint not null,
  voter_id bigint not null,
  -- The voter's row before the import.
  was json not null,
  primary key (import_id, voter_id)
);
call protect_by_account('replaced_voters', '');
