-- A role for those clerks who may find a confidential voter.
alter table person_roles drop constraint person_roles_role_check;
alter table person_roles add constraint person_roles_role_check check (role in (
  'viewer', 'clerk', 'confidential-clerk', 'importer', 'releaser', 'editor', 'admin', 'state-observer'));
