-- A mail house's wrong file is put back: the barcodes that it added are removed, and those that it changed are as before.

alter table mail_pieces
  -- The last import that changed the piece, and what it replaced.
  add column changed_by bigint,
  add column replaced_direction text,
  add column replaced_mailed_on date;

grant delete on mail_pieces to beacon_operator;

-- Find them among the pieces of all elections.
create index mail_pieces_by_import on mail_pieces (import_id) where import_id is not null;
create index mail_pieces_by_change on mail_pieces (changed_by) where changed_by is not null;
