-- Administrators turn parts of their office's page on and off at the console.

grant insert, update, delete on flag_definitions to beacon_office;
