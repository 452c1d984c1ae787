-- What a clerk reads at the console to answer a voter: the roll, ballots with their events, messages and consents.

grant select on voters, ballot_events, withdrawn_imports, mail_scans, contact_channels, contact_preferences, consents,
  suppressions to beacon_office;
