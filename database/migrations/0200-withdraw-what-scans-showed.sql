-- An event of a scan stands while both imports do: the one that brought the scan (import_id), and the one that tied its barcode
-- to this ballot. Null for events of no scan, and for those from before this column.
alter table ballot_events add column piece_import_id bigint;
