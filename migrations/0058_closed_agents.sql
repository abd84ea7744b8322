-- no transaction
drop index concurrently if exists agent_closed;
-- The accounts that were closed, for operators who look for money that came later.
create index concurrently agent_closed on agent (id) where closed_at is not null;
