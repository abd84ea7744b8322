-- the description of a replaced version; null: it is that of the product, or was replaced before
alter table product_version add column description text;

-- A trigger, because programs of the release before change products too.
\ir functions/products/keeps_description.sql
create trigger keeps_description after update of version on product
  for each row when (new.version > old.version) execute function keeps_description();
alter table product enable always trigger keeps_description;
