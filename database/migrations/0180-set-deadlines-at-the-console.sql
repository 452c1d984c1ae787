-- Administrators lay their office's own deadline to fix an envelope over the rule of its state at the console, as commands do.

grant insert, update on office_deadlines to beacon_office;
