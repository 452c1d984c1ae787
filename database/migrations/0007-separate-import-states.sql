-- Each state of an import means one thing. `held` was a file that waits, messages that wait, and a corrected import.

alter table imports drop constraint imports_state_check;
update imports i set state = case
  when state = 'held' and report ? 'heldFile' then 'file-held'
  when state = 'held' and exists (
    select from import_gates g where g.import_id = i.import_id and g.corrected_at is not null) then 'corrected'
  when state = 'held' then 'messages-held'
  when report ->> 'isRepeat' = 'true' then 'nothing-new'
  when report ? 'releasedBy' or exists (
    select from import_gates g where g.import_id = i.import_id and g.released_at is not null) then 'released'
  else state
end
where state <> 'refused';
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
  -- Nothing of it was loaded, and nothing will be.
  'refused'
));
