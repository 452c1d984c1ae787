-- Administrators change their office's settings at the console, within the rows of their office; its subdomain stays the operator's.

grant update (name, county, state, time_zone, settings, content_version, updated_at) on accounts to beacon_office;
grant insert, delete on account_languages to beacon_office;
