-- Whether a tree of agents may buy this product: nobody buys from their own tree.
create or replace function is_for_sale(p_product product, p_buyer_root bigint) returns boolean
language sql immutable as $$
  select p_product.status = 'approved' and p_product.active and p_product.root_id <> p_buyer_root
$$;
