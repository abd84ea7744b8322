-- Keeps the description under which a replaced version was bought.
create or replace function keeps_description() returns trigger language plpgsql as $$
begin
  update product_version set description = old.description
   where product_id = old.id and version = old.version;
  return null;
end $$;
