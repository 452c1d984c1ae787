-- When a person of an office last proved who it is, and where the session is used.

alter table office_sessions
  -- Null: the identity provider did not say when the person signed in there.
  add column proven_at timestamptz,
  -- A session of the command line opens nothing at the console, and the other way round.
  add column used_by text not null default 'console' check (used_by in ('console', 'command-line'));
update office_sessions set proven_at = created_at;
