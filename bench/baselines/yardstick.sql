-- The yardstick of a purchase: the least that a careful engineer would write for one, without the
-- marketplace. Frozen: a change here changes the meaning of every ratio that was measured before.
create schema yardstick;

create table yardstick.account (
  id bigint primary key,
  balance bigint not null check (balance >= 0)
) with (fillfactor = 50);

create table yardstick.product (
  id bigint primary key,
  seller_id bigint not null references yardstick.account,
  price bigint not null check (price > 0)
);

create table yardstick.unit (
  id bigint generated always as identity primary key,
  product_id bigint not null references yardstick.product,
  purchase_id bigint
);
-- units on sale
create index on yardstick.unit (product_id, id) where purchase_id is null;

create sequence yardstick.purchase_id cache 32;
create table yardstick.purchase (
  id bigint primary key default nextval('yardstick.purchase_id'),
  key uuid not null unique,
  buyer_id bigint not null references yardstick.account,
  product_id bigint not null references yardstick.product,
  price bigint not null,
  status text not null default 'escrow' check (status in ('escrow', 'completed', 'refunded')),
  created_at timestamptz not null default now()
);
-- a buyer's list
create index on yardstick.purchase (buyer_id, id);
-- a seller's list
create index on yardstick.purchase (product_id, id);

create table yardstick.transfer (
  id bigint generated always as identity primary key,
  purchase_id bigint not null references yardstick.purchase,
  from_id bigint not null references yardstick.account,
  amount bigint not null check (amount > 0),
  created_at timestamptz not null default now()
);
-- statements
create index on yardstick.transfer (from_id, id);

create table yardstick.event (
  id bigint generated always as identity primary key,
  account_id bigint not null references yardstick.account,
  purchase_id bigint not null,
  data jsonb not null
);
-- an account's events
create index on yardstick.event (account_id, id);

-- Accounts with $100 000 each; the first tenth of them sell, and the others buy.
create function yardstick.fill(accounts int, products int, units int) returns void
language sql as $$
  insert into yardstick.account select n, 100000000000 from generate_series(1, accounts) n;
  insert into yardstick.product
  select n, 1 + n % (accounts / 10), 10000 + n from generate_series(1, products) n;
  insert into yardstick.unit (product_id)
  select p.id from yardstick.product p cross join generate_series(1, units);
  insert into yardstick.purchase (key, buyer_id, product_id, price, status)
  select gen_random_uuid(), accounts / 10 + 1 + n % (accounts * 9 / 10), 1 + n % products, 10000,
         'completed'
    from generate_series(1, 10000) n;
  insert into yardstick.transfer (purchase_id, from_id, amount)
  select id, buyer_id, price from yardstick.purchase;
  insert into yardstick.event (account_id, purchase_id, data)
  select buyer_id, id, jsonb_build_object('purchase_id', id) from yardstick.purchase;
  analyze yardstick.account, yardstick.product, yardstick.unit, yardstick.purchase,
          yardstick.transfer, yardstick.event;
$$;

-- Buys one unit for each call, and answers how many were bought.
create function yardstick.buy(keys uuid[], buyers bigint[], products bigint[]) returns bigint
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  bought bigint;
begin
  perform from yardstick.account where id = any (buyers) order by id for no key update;
  with call as (
    select c.key, c.buyer, p.id as product, p.seller_id, p.price, a.balance,
           row_number() over (partition by p.id order by c.ord) as nth,
           sum(p.price) over (partition by a.id order by c.ord) as total
      from unnest(keys, buyers, products) with ordinality as c(key, buyer, product, ord)
      join yardstick.account a on a.id = c.buyer
      join yardstick.product p on p.id = c.product),
  locked as materialized (
    select need.product, u.id
      from (select product, max(nth) as n from call group by product order by product) need
     cross join lateral (
       select id from yardstick.unit where product_id = need.product and purchase_id is null
        order by id limit need.n for update skip locked) u),
  unit as (
    select product, id, row_number() over (partition by product order by id) as nth from locked),
  sale as materialized (
    select call.*, unit.id as unit,
           nextval('yardstick.purchase_id') as purchase
      from call join unit using (product, nth) where call.total <= call.balance),
  made as (
    insert into yardstick.purchase (id, key, buyer_id, product_id, price)
    select purchase, key, buyer, product, price from sale),
  sold as (
    update yardstick.unit set purchase_id = sale.purchase from sale where unit.id = sale.unit),
  paid as (
    update yardstick.account a set balance = balance - s.total
      from (select buyer, sum(price) as total from sale group by buyer) s where a.id = s.buyer),
  moved as (
    insert into yardstick.transfer (purchase_id, from_id, amount)
    select purchase, buyer, price from sale),
  announced as (
    insert into yardstick.event (account_id, purchase_id, data)
    select account, purchase, jsonb_build_object('purchase_id', purchase, 'product_id', product)
      from sale cross join lateral (values (buyer), (seller_id)) as r(account))
  select count(*) into bought from sale;
  return bought;
end $$;
