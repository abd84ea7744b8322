-- The deal is final: what it sold of a dataset need not be kept for it any more.
create or replace function closes_dataset_sale() returns trigger language plpgsql as $$
begin
  update dataset_sale set is_open = false where order_id = new.id;
  return null;
end $$;
