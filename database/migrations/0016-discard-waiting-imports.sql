-- A file that waited and was not approved is `discarded`; before, it looked like a file that was refused.

alter table imports drop constraint imports_state_check;
update imports set state = 'discarded',
  report = report || jsonb_build_object('refusedBecause', null, 'discardedBecause', report -> 'refusedBecause')
where state = 'refused' and report ->> 'refusedBecause' like 'It waited for approval until a newer file came%';
alter table imports add constraint imports_state_check check (state in (
  -- Loaded without approval.
  'done',
  -- The same bytes as the newest file: not read again.
  'nothing-new',
  -- Nothing of it is loaded until a second person approves it.
  'file-held',
  -- Loaded; its messages go out when a second person approves them.
  'messages-held',
  -- A second person approved the file or its messages; both are out.
  'released',
  -- Found wrong after it was loaded: its messages are withdrawn.
  'corrected',
  -- It waited and was not approved: a person discarded it, a newer file came, or it waited too long. Nothing of it was loaded.
  'discarded',
  -- It could not be loaded when it was imported.
  'refused'
));
