-- What deadlines to fix an envelope count from, beside the election day: null while the office has not said it.
alter table elections
  add column kind text check (kind in ('general', 'primary', 'presidential-primary', 'federal', 'statewide', 'special',
    'municipal', 'local')),
  add column certified_on date,
  add column canvassed_on date;

-- A deadline that an office set itself for one kind of problem in one election, over the rule of its state.
create table office_deadlines (
  account_id integer not null references accounts,
  election_id bigint not null references elections,
  defect text not null check (defect in ('signature-missing', 'signature-differs', 'witness-or-envelope-incomplete',
    'id-missing', 'wrong-envelope', 'other')),
  -- On the clock of the account's time zone.
  ends_on date not null,
  ends_at text not null check (ends_at ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  reason text not null check (reason <> ''),
  set_by text not null,
  set_at timestamptz not null default now(),
  primary key (election_id, defect)
);
call protect_by_account('office_deadlines', 'select');
call open_to_worker('office_deadlines', 'select');
