-- The UTC day that a spend of this tree counts to now, read under the lock of its treasury. It
-- never goes back: a transaction that began before midnight and got the lock after one that began
-- later counts to the same day as that one.
create or replace function spend_day(p_root bigint) returns date
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  return (select greatest(day, (clock_timestamp() at time zone 'UTC')::date)
            from spend where agent_id = p_root);
end $$;
