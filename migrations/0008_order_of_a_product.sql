-- An order is sold by the seller of its product. One reference instead of two: besides saying more,
-- it spares all purchases from one seller the lock on that seller's row.
alter table product
  add constraint product_of_a_seller unique (id, seller_id); -- what orders refer to
alter table orders drop constraint orders_seller_id_fkey, drop constraint orders_product_id_fkey;
alter table orders add constraint order_of_a_product
  foreign key (product_id, seller_id) references product (id, seller_id);
