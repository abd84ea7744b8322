-- A unit that is sold names an order that exists. Checked once a statement, and not by a foreign
-- key, which probes and locks the order of each unit: orders are never deleted (is_referred_to), so
-- a look-up is enough.
create or replace function stock_references() returns trigger language plpgsql as $$
begin
  -- limit keeps it an index probe
  if exists (select from changed_stock s where s.order_id is not null and (
               select true from orders o where o.id = s.order_id limit 1) is null) then
    raise exception 'a unit is sold to an order that does not exist'
      using errcode = '23503', constraint = 'stock_of_an_order';
  end if;
  return null;
end $$;
