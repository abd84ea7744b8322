-- The deal is final: nobody waits for access by it any more.
create or replace function closes_order_access() returns trigger language plpgsql as $$
begin
  delete from order_access where order_id = new.id;
  return null;
end $$;
