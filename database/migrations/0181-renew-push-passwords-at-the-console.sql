-- Administrators make and renew at the console the password with which USPS pushes their office's scans, as the command does.

grant select, insert, update on push_credentials to beacon_office;
