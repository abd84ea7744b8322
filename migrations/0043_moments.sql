-- An opening is made under the lock of what is opened, perhaps long after its transaction began.
alter table opening alter column opened_at set default clock_timestamp();

-- What a whole unit of an asset was worth in dollars, noted every minute. A payment is converted at
-- the price of its moment, however much later it is known whose it is.
create table asset_price (
  id     bigint generated always as identity primary key,
  asset  text not null,
  at     timestamptz not null, -- as its sources say
  price  numeric not null check (price > 0),
  source text not null,
  constraint asset_price_once unique (asset, at)
);
