-- Keeps versions: orders refer to the version that they bought without a foreign key, and the
-- current version can be bought at any time.
create or replace function version_stays() returns trigger language plpgsql as $$
begin
  -- limit keeps them index probes
  if exists (select from gone v where (
               select true from orders o
                where o.product_id = v.product_id and o.version = v.version limit 1))
  or exists (select from gone v where (
               select true from product p
                where p.id = v.product_id and p.version = v.version limit 1)) then
    raise exception 'a version that was bought, or is the current one, stays'
      using errcode = '23503', constraint = 'version_stays';
  end if;
  return null;
end $$;
