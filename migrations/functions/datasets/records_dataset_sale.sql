-- Records which version of a dataset each new order buys: the one that is delivered now.
create or replace function records_dataset_sale() returns trigger language plpgsql as $$
begin
  insert into dataset_sale (order_id, dataset_id, version, sha256)
  select o.id, d.id, d.version, v.sha256
    from new_order o cross join lateral ( -- limit keeps it an index probe
      select id, version from dataset where product_id = o.product_id limit 1) d
    join dataset_version v on v.dataset_id = d.id and v.version = d.version;
  return null;
end $$;
