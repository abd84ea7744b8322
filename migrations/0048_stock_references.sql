-- The order of a sold unit is checked once a statement: a batch of purchases sells up to 64 units.
\ir functions/orders/stock_references.sql
create trigger stock_references after update on stock referencing new table as changed_stock
  for each statement execute function stock_references();
create trigger stock_references_when_listed after insert on stock
  referencing new table as changed_stock
  for each statement execute function stock_references();
create trigger is_referred_to before delete or truncate or update of id on orders
  for each statement execute function is_referred_to();
alter table stock
  enable always trigger stock_references, enable always trigger stock_references_when_listed;
alter table orders enable always trigger is_referred_to;

alter table stock drop constraint stock_of_an_order;
