-- What was sold of a dataset stays as it was until the deal is final.

-- since when another version is delivered; null: it is the delivered one, or nothing of it is kept
alter table dataset_version add column superseded_at timestamptz;
create index dataset_version_kept on dataset_version (dataset_id)
  where superseded_at is not null; -- what a tree stores, the timer
drop index dataset_of_tree; -- of free ones only
create index dataset_of_tree on dataset (root_id) where type = 'json'; -- what a tree stores

-- SHA-256 of the rows of all parts up to this one, as one JSON list; null: no rows, or older ones
alter table dataset_part add column sha256 text check (sha256 ~ '^[0-9a-f]{64}$');

-- Which version of a dataset an order bought, with its hash. is_open says the same as the order.
create table dataset_sale (
  order_id   bigint primary key references orders,
  dataset_id bigint not null,
  version    int not null check (version > 0),
  sha256     text check (sha256 ~ '^[0-9a-f]{64}$'), -- of the file or the rows; null: unknown
  is_open    boolean not null default true
);
create index dataset_sale_open on dataset_sale (dataset_id, version) where is_open; -- what is kept
-- users that are not dropped yet, for which the login of their server is kept
create index dataset_grant_left on dataset_grant (dataset_id, ends_at) where dropped_at is null;

-- Triggers, because functions that began before this migration end after it.
\ir functions/datasets/records_dataset_sale.sql
create trigger records_dataset_sale after insert on orders referencing new table as new_order
  for each statement execute function records_dataset_sale();
\ir functions/datasets/closes_dataset_sale.sql
create trigger closes_dataset_sale after update of status on orders
  for each row when (old.closed_at is null and new.closed_at is not null)
  execute function closes_dataset_sale();
alter table orders
  enable always trigger records_dataset_sale, enable always trigger closes_dataset_sale;

\ir functions/datasets/dataset_version_stays.sql
\ir functions/datasets/keeps_sold_parts.sql
create trigger keeps_sold_parts before delete on dataset_part
  for each row execute function keeps_sold_parts();
alter table dataset_part enable always trigger keeps_sold_parts;

\ir functions/datasets/supersedes_version.sql
create trigger supersedes_version after update of version on dataset
  for each row when (old.version > 0 and new.version > old.version and new.product_id is not null)
  execute function supersedes_version();

-- Older versions are gone: open orders are given the delivered one, as before.
insert into dataset_sale (order_id, dataset_id, version, sha256)
select o.id, d.id, d.version, v.sha256
  from orders o join dataset d on d.product_id = o.product_id
  join dataset_version v on v.dataset_id = d.id and v.version = d.version
 where o.status in ('escrow', 'disputed');
