-- Clerks print letters about envelopes to fix at the console, as commands do.
grant insert, update (printed_at, printed_by) on fix_letters to beacon_office;
