-- no transaction
drop index concurrently if exists agent_suspended;
-- The suspended agents of a tree, for the inbox of those above them.
create index concurrently agent_suspended on agent (root_id) where status = 'suspended';
