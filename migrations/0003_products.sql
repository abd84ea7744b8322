-- What is sold, each version of it, and the units that can be sold once.

create schema search; -- the functions that make words of texts
\ir functions/search/forms.sql
\ir functions/search/words.sql
\ir functions/search/product_words.sql
\ir functions/search/spellings.sql

create table product (
  id            bigint generated always as identity primary key,
  seller_id     bigint not null,
  root_id       bigint not null, -- the seller's tree
  title         text not null,
  description   text not null,
  category      text not null check (category in
    ('serial_key', 'api_service', 'proxy_service', 'mcp_server', 'smart_contract', 'dataset')),
  -- micro-dollars, at most $1 million
  price         bigint not null check (price between 1 and 1000000000000),
  stock_kind    text not null check (stock_kind in ('serial_pool', 'counted', 'unlimited')),
  quantity      int check (quantity >= 0), -- what is left of a counted product
  -- units ever listed: how many of them are gone needs no second count
  listed        int check (listed >= 0),
  status        text not null default 'pending_review' check (status in
    ('draft', 'pending_review', 'approved', 'rejected', 'suspended', 'archived')),
  review_note   text,
  active        boolean not null default true,
  version       int not null default 1,
  release_hours int not null default 72 check (release_hours between 1 and 720),
  accepts_credit boolean not null default true, -- false: only cash pays for it
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  seller_name   text not null default '', -- to be searched for; it never changes
  search        tsvector not null generated always as (
    search.product_words(title, description, category, seller_name)) stored,
  constraint product_counts check ((stock_kind = 'counted') = (quantity is not null)),
  constraint product_lists check ((stock_kind = 'unlimited') = (listed is null)),
  constraint product_seller foreign key (seller_id, root_id) references agent (id, root_id)
) with (fillfactor = 80); -- counted products are updated by every sale
create trigger is_referred_to
  before delete or truncate or update of id, seller_id, root_id on product
  for each statement execute function is_referred_to();
alter table product enable always trigger is_referred_to;

create index product_seller on product (seller_id, id); -- my_products
create index product_listed on product (id) where status = 'approved' and active; -- list_products
create index product_listed_category on product (category, id)
  where status = 'approved' and active; -- list_products of one category
create index product_listed_price on product (price)
  where status = 'approved' and active; -- search_assets with a low max_price
create index product_listed_category_price on product (category, price)
  where status = 'approved' and active; -- the same in one category
-- search_assets. Without fastupdate, or each search would read the list of what is not in it yet.
create index product_search on product using gin (search) with (fastupdate = off)
  where status = 'approved' and active;
create index product_title on product (lower(title) text_pattern_ops)
  where status = 'approved' and active; -- search_assets for words that full text ignores
create index product_status on product (status, id); -- products_to_review

-- The words of titles, for searches that misspell them. A word is never deleted.
create table search_word (
  word      text collate "C" primary key,
  spellings text[] not null -- what it may look like with one letter wrong
);
create index search_word_spellings on search_word using gin (spellings); -- similar words
insert into search_word
select word, search.spellings(word) from unnest(array
  ['api', 'contract', 'data', 'dataset', 'key', 'license', 'mcp', 'proxy', 'serial', 'server',
   'service', 'smart', 'software']) as word; -- those of the categories

-- What an order bought stays what it was: an edit of price or delivery makes a new version.
-- content is what a counted or unlimited product delivers, sealed; a version that changes something
-- else has none of its own and delivers that of an earlier one, content_version.
-- superseded_at is when the next version came, or when a later one was last found to deliver its
-- content. Null: it is the current one, or it was found to be bought, and stays.
create table product_version (
  product_id bigint not null references product,
  version    int not null,
  title      text not null,
  price      bigint not null,
  content    bytea,
  content_version int, -- null: it delivers no content, but units of stock
  created_at timestamptz not null default now(),
  superseded_at timestamptz,
  primary key (product_id, version),
  foreign key (product_id, content_version) references product_version (product_id, version)
);
create index product_version_superseded on product_version (superseded_at)
  where superseded_at is not null; -- forget_old_versions
-- which versions deliver the content of one that is to be deleted
create index product_version_content on product_version (product_id, content_version)
  where content_version is not null;

-- One unit that is sold once. A sale rewrites the row, so what is delivered has a table of its own.
create table stock (
  id          bigint generated by default as identity primary key,
  product_id  bigint not null references product,
  seller_id   bigint not null,
  root_id     bigint not null, -- the seller's tree
  status      text not null default 'available' check
    (status in ('available', 'reserved', 'sold', 'burned')),
  order_id    bigint,
  created_at  timestamptz not null default now(),
  constraint stock_seller foreign key (seller_id, root_id) references agent (id, root_id),
  constraint stock_sold_to_an_order
    check ((status in ('available', 'reserved')) = (order_id is null))
);
-- taken by purchases, oldest first
create index stock_available on stock (product_id, id) where status = 'available';
create index stock_order on stock (order_id) where order_id is not null; -- what a vault holds

-- Keys of hashes that must stay comparable when the master key is changed, sealed under that.
create table fingerprint_key (
  purpose text primary key,
  sealed  bytea not null
);

-- What a unit delivers, sealed. fingerprint is a keyed hash of it: the same secret listed twice by
-- a seller is refused.
create table stock_secret (
  stock_id    bigint primary key references stock,
  seller_id   bigint not null,
  secret      bytea not null,
  fingerprint bytea not null,
  constraint stock_secret_once unique (seller_id, fingerprint)
);
