-- People of an office make QR codes at the console as commands do: they add codes, replace those of letters, and read no letter's code.
grant select, insert on ballot_codes to beacon_office;
grant select (account_id, voter_id, letter_code_id, election_id, expires_at), insert, delete on letter_codes to beacon_office;
