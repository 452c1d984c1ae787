-- Administrators add, change and remove their office's elections at the console; removing one takes its own deadlines along.

grant insert, update, delete on elections to beacon_office;
grant delete on office_deadlines to beacon_office;
