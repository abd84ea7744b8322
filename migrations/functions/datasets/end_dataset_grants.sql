-- Ends the access that a refunded order gave.
create or replace function end_dataset_grants() returns trigger language plpgsql as $$
begin
  update dataset_grant set ends_at = least(ends_at, now()), revoked = true
   where order_id = new.id;
  return null;
end $$;
