-- What the office's file last said of a voter, as a hash of its row: a row that still has it need not be read further, which is
-- nearly every row of a daily file. Null: read it.
alter table voters add column row_hash text;
-- Room for a changed row beside the one it replaces, which spares its index entries.
alter table voters set (fillfactor = 92);
