-- The day on which the office expects a ballot at its voter, by its own files: state laws ask for it beside the day of mailing. What
-- USPS says of the envelope comes before it.
alter table ballots add column office_expected_on date;
alter table replaced_ballots add column office_expected_on date;
