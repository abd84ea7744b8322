-- no transaction
drop index concurrently if exists task_ended;
-- the record of a poster
create index concurrently task_ended on task (poster_root, closed_at) where closed_at is not null;
