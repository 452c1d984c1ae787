-- What each office's people see first says whether somebody attacked its voters in the last day.
create index audit_log_attacks on audit_log (account_id, at)
  where action in ('security.preferences-changed-in-mass', 'security.spraying');
