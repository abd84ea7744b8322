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
  access_days   int check (access_days between 1 and 3650), -- after each purchase; null: for ever
  product_id    bigint unique references product,
  sold_at       timestamptz, -- since when it has to be bought
  version       int not null default 0,
  newest        int not null default 1,
  created_at    timestamptz not null default now(),
  constraint dataset_seller foreign key (seller_id, root_id) references agent (id, root_id),
  constraint dataset_versions check (version between 0 and newest),
  constraint dataset_access_ends check (access_days is null or price > 0),
  constraint dataset_sold check ((product_id is not null) = (price > 0 and version > 0)),
  constraint dataset_sold_since check ((product_id is null) = (sold_at is null))
) with (fillfactor = 80);
create index dataset_of_seller on dataset (seller_id, id); -- list_datasets of its seller
-- what a tree stores
create index dataset_of_tree on dataset (root_id) where type = 'json' and price = 0;
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

-- Rows that were uploaded for a version that is not made yet: a row a call. upload_id is the id of
-- the first. content is sealed: rows as JSON with commas between, without brackets.
create table dataset_upload (
  id         bigint generated always as identity primary key,
  upload_id  bigint not null,
  agent_id   bigint not null,
  root_id    bigint not null,
  after      int not null, -- rows of the parts before
  row_count  int not null check (row_count > 0),
  bytes      int not null check (bytes between 2 and 16777216), -- of the text that is sealed
  content    bytea not null,
  created_at timestamptz not null default now(),
  constraint dataset_upload_once unique (upload_id, after),
  constraint dataset_upload_agent foreign key (agent_id, root_id) references agent (id, root_id)
);
create index dataset_upload_of_tree on dataset_upload (root_id); -- what a tree stores

-- The user of a seller's MySQL server that was made for one order, or for one agent where nothing
-- was bought. ready_at is when it could first log in at the server of this version of the dataset.
-- When its time ends, next_at is when it is dropped, or dropped again: dropped_at is the last time.
create table dataset_grant (
  id         bigint generated always as identity primary key,
  dataset_id bigint not null references dataset,
  agent_id   bigint not null,
  root_id    bigint not null,
  order_id   bigint unique references orders,
  username   text not null unique,
  password   bytea, -- sealed; null when it was dropped
  asked_at   timestamptz not null default now(), -- when a worker was last asked to make it
  version    int not null default 0,
  ready_at   timestamptz,
  fault      text, -- why it could not be made, or dropped
  ends_at    timestamptz not null default 'infinity',
  revoked    boolean not null default false, -- its order was refunded
  attempts   int not null default 0, -- at dropping it
  next_at    timestamptz not null default '-infinity',
  dropped_at timestamptz,
  created_at timestamptz not null default now(),
  constraint dataset_grant_agent foreign key (agent_id, root_id) references agent (id, root_id),
  constraint dataset_grant_ready check ((ready_at is null) = (version = 0)),
  constraint dataset_grant_dropped check (
    (dropped_at is null) = (password is not null) and (dropped_at is null or dropped_at > ends_at))
);
-- one an agent of a dataset that it need not buy
create unique index dataset_grant_agent_once on dataset_grant (dataset_id, agent_id)
  where order_id is null;
create index dataset_grant_due on dataset_grant (ends_at) where dropped_at is null; -- the timer

\ir functions/datasets/end_dataset_grants.sql
create trigger ends_dataset_grants after update of status on orders
  for each row when (new.status = 'refunded') execute function end_dataset_grants();
alter table orders enable always trigger ends_dataset_grants;
