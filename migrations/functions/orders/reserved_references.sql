-- A unit that is reserved names a quote or a pending order. Purchases do not set reserved_for, so
-- they do not pay for it.
create or replace function reserved_references() returns trigger language plpgsql as $$
begin
  if not exists (select from quote where id = new.reserved_for)
     and not exists (select from pending_order where id = new.reserved_for) then
    raise exception 'a unit is reserved for an order that nobody asked for'
      using errcode = '23503', constraint = 'stock_reserved_for_a_purchase';
  end if;
  return null;
end $$;
