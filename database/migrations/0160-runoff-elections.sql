-- A runoff is an election of its own: it has its own day, and deadlines to fix an envelope count from that.
alter table elections drop constraint elections_kind_check;
alter table elections add constraint elections_kind_check check (kind in ('general', 'primary', 'presidential-primary',
  'federal', 'statewide', 'special', 'runoff', 'municipal', 'local'));
