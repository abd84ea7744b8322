-- An order has a buyer, and is sold by the seller of its product. Checked once a statement:
-- referred rows are never deleted (is_referred_to), so a look-up is enough, and purchases do not
-- lock the row of the product that they share. That makes a batch a tenth cheaper than foreign
-- keys. An update that names one of these columns is refused.
create or replace function order_references() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    raise exception 'an order keeps what it refers to' using errcode = '23503';
  end if;
  -- limit keeps them index probes
  if exists (select from new_order o where (
               select true from agent a
                where a.id = o.buyer_id and a.root_id = o.buyer_root limit 1) is null) then
    raise exception 'an order names a buyer that does not exist'
      using errcode = '23503', constraint = 'order_buyer';
  end if;
  if exists (select from new_order o where (
               select true from product p
                where p.id = o.product_id and p.seller_id = o.seller_id
                  and p.root_id = o.seller_root limit 1) is null) then
    raise exception 'an order names a product that its seller does not sell'
      using errcode = '23503', constraint = 'order_of_a_product';
  end if;
  return null;
end $$;
