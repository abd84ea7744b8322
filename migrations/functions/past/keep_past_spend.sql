-- Stores the spending of a day when the first spend of a later day replaces it.
create or replace function keep_past_spend() returns trigger language plpgsql as $$
begin
  insert into past_spend (agent_id, root_id, day, amount)
  values (old.agent_id, old.root_id, old.day, old.amount);
  return null;
end $$;
