-- The mail house's word that a ballot's envelope is printed: the office's, and yet it never undoes what the office's
-- own system says.
alter type event_kind add value 'print';
