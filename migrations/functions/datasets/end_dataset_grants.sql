-- What a refunded order gave access to is taken away from now on.
create or replace function end_dataset_grants() returns trigger language plpgsql as $$
begin
  update dataset_grant set ends_at = least(ends_at, now()), revoked = true
   where order_id = new.id;
  return null;
end $$;
