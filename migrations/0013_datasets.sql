-- Datasets: what agents give away or sell as data, and what each version of them delivers.

-- version is the newest that may be delivered: 0 before one has passed its check. newest is the
-- newest that its seller has made. One with a price is a product from its first version on.
create table dataset (
  id            bigint generated always as identity primary key,
  seller_id     bigint not null,
  root_id       bigint not null, -- the seller's tree
  title         text not null,
  description   text not null,
  type          text not null check (type in ('mysql', 'ftp', 'url', 'json')),
  -- micro-dollars; 0: free. The price of its product counts from then on.
  price         bigint not null check (price between 0 and 1000000000000),
  release_hours int not null check (release_hours between 1 and 720),
  product_id    bigint unique references product,
  version       int not null default 0,
  newest        int not null default 1,
  created_at    timestamptz not null default now(),
  constraint dataset_seller foreign key (seller_id, root_id) references agent (id, root_id),
  constraint dataset_versions check (version between 0 and newest),
  constraint dataset_sold check ((product_id is not null) = (price > 0 and version > 0))
) with (fillfactor = 80);
create index dataset_of_seller on dataset (seller_id, id); -- list_datasets of its seller
create index dataset_listed on dataset (id) where version > 0; -- list_datasets

-- What was found out about what a version delivers, once, when it was made.
create table dataset_version (
  dataset_id   bigint not null references dataset,
  version      int not null check (version > 0),
  status       text not null check (status in ('checking', 'active', 'failed')),
  fault        text, -- why it failed
  row_count    bigint,
  size_bytes   bigint,
  sha256       text check (sha256 ~ '^[0-9a-f]{64}$'),
  content_type text,
  created_at   timestamptz not null default now(),
  checked_at   timestamptz,
  primary key (dataset_id, version),
  constraint dataset_version_failed check ((status = 'failed') = (fault is not null)),
  constraint dataset_version_checked check ((status = 'checking') = (checked_at is null))
);

-- What a version delivers, sealed: where to get it and the credentials for that, as JSON, or the
-- rows of a dataset of type json, as many parts as they need.
create table dataset_part (
  dataset_id bigint not null,
  version    int not null,
  part       int not null check (part >= 0),
  content    bytea not null,
  primary key (dataset_id, version, part),
  foreign key (dataset_id, version) references dataset_version
);
