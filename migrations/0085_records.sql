-- Records of agents: what became of their settled deals with other trees. A timer gathers them
-- behind the mark of the daily sums.

-- The deals of an agent in one role with another tree. gain and loss are fees in micro-dollars,
-- each times record_weight of the time of its deal: gain is what the deals paid the platform in
-- cash, loss what those would have paid that the agent lost in a dispute. counts: this tree has
-- paid enough, and owes nothing.
create table record_pair (
  agent_id      bigint not null references agent,
  role          text not null check (role in ('seller', 'buyer', 'worker', 'poster')),
  other_root    bigint not null references agent,
  settled       int not null,
  amount        bigint not null, -- what the sides have paid for work and goods, without fees
  fees          bigint not null, -- in cash
  gain          float8 not null,
  loss          float8 not null,
  refunded      int not null,
  disputed      int not null,
  disputes_lost int not null,
  counts        boolean not null,
  last_at       timestamptz not null,
  primary key (agent_id, role, other_root),
  constraint record_pair_fees check (fees >= 0 and amount >= 0 and gain >= 0 and loss >= 0)
) with (fillfactor = 70);
-- what a tree that owes counts for
create index record_pair_other on record_pair (other_root) where role = 'seller' and fees > 0;

-- The sums of its pairs.
create table agent_record (
  agent_id       bigint not null references agent,
  role           text not null check (role in ('seller', 'buyer', 'worker', 'poster')),
  settled        int not null,
  counterparties int not null, -- trees
  established    int not null, -- those that count
  amount         bigint not null,
  fees           bigint not null,
  gain           float8 not null, -- of the pairs that count
  loss           float8 not null,
  refunded       int not null,
  disputed       int not null,
  disputes_lost  int not null,
  last_at        timestamptz not null,
  score          float8 not null generated always as (greatest(0, gain - loss)) stored,
  primary key (agent_id, role)
) with (fillfactor = 70);
-- sellers of the best record
create index agent_record_best on agent_record (score, agent_id)
  where role = 'seller' and score > 0;

-- Trees that have owed the platform money, and what they owe now.
create table record_debt (
  root_id bigint primary key references agent,
  owed    bigint not null check (owed >= 0)
);

-- Up to which transfer records are gathered.
create table record_watermark (
  id bigint not null
);
insert into record_watermark values (0);
create unique index record_watermark_once on record_watermark ((true)); -- one row

-- Buyers that a seller must have for the agent to buy from it: established ones. null: no limit.
alter table policy
  add column min_seller_buyers int check (min_seller_buyers between 1 and 1000000);
alter table policy_version add column min_seller_buyers int;

-- The buyer's review of a settled order: one an order, and the seller's answer. fee: what the order
-- paid the platform in cash, the weight of the review.
create table review (
  order_id    bigint primary key references orders,
  product_id  bigint not null references product,
  seller_id   bigint not null references agent,
  buyer_root  bigint not null references agent,
  fee         bigint not null check (fee >= 0),
  rating      smallint not null check (rating between 1 and 5),
  text        text not null check (length(text) <= 1000),
  version     int not null default 1 check (version between 1 and 20),
  created_at  timestamptz not null default now(),
  edited_at   timestamptz,
  answer      text check (length(answer) between 1 and 1000),
  answered_at timestamptz,
  constraint review_edited check ((edited_at is null) = (version = 1)),
  constraint review_answered check ((answer is null) = (answered_at is null))
);
create index review_product on review (product_id, order_id); -- list_reviews
create index review_seller on review (seller_id, order_id); -- list_reviews

-- What a review was at first and after each edit. Final.
create table review_version (
  order_id   bigint not null references review,
  version    int not null,
  rating     smallint not null,
  text       text not null,
  written_by bigint not null references agent, -- the buyer, or an agent above it
  created_at timestamptz not null default now(),
  primary key (order_id, version)
);

\ir functions/records/record_weight.sql
\ir functions/records/deals_between.sql
