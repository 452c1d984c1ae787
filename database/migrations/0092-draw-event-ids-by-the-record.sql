-- What one record of a ballot tells is five events at most: an importer draws one number for all of them.
alter table ballot_events alter column event_id set increment by 8;
-- Numbers of ballots say nothing of their order, so a connection may draw some beforehand.
alter table ballots alter column ballot_id set cache 100;
