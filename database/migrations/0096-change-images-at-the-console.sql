-- Editors give their office its logo and photograph at the console, as account files do.
grant insert, update, delete on account_images to beacon_office;
