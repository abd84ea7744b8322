-- no transaction
drop index concurrently if exists product_seller_status;
-- my_products of a status, newest first.
create index concurrently product_seller_status on product (seller_id, status, id);
