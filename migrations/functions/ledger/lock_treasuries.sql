-- Locks treasuries in the one order and returns their balances. A transaction that will touch
-- several treasuries calls it once, first.
create or replace function ledger.lock_treasuries(ids bigint[]) returns setof ledger.treasury
language sql security definer set search_path = ledger, pg_temp as $$
  select * from treasury where id = any (ids) order by id for no key update
$$;
