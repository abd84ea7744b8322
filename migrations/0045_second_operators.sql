-- The operator who has approved a withdrawal first, where a second one has to as well.
alter table withdrawal add column approved_by text;
