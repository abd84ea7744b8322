-- Money that comes in, by any rail, and what of it was reversed.

-- What is reversed leaves the treasury as far as it is there; the rest is owed, until later inflows
-- have paid it.
insert into ledger.route
  (kind, from_account, to_account, from_id, to_id, allows_credit, allows_cash, settles) values
  ('deposit.reversal',    'treasury',   'asset',      null, null, false, true, true),
  ('deposit.owed',        'receivable', 'asset',      null, null, false, true, true),
  ('deposit.restoration', 'asset',      'treasury',   null, null, false, true, true),
  ('owed.payment',        'treasury',   'receivable', null, null, false, true, false);

-- A payment, once a network, transaction and index in it. account_id is the account of the assets
-- that it came into: one a rail. amount is in base units of the asset (cents, 10^-6 USDC), usd in
-- micro-dollars, as converted at rate_price dollars for a whole unit of the asset, which
-- rate_source said at rate_at. reversed is what of it went back, in micro-dollars.
--
-- Of a payment by chain: who paid whom in which block, and what says whose it is. detected: its
-- block is not final. confirming: it is, and waits for what waits_for says. rejected: for that.
create table deposit (
  id          bigint generated always as identity primary key,
  rail        text not null,
  account_id  bigint not null generated always as (case rail
    when 'card' then 1 when 'algorand' then 2 when 'solana' then 3 when 'base' then 4
    when 'arbitrum' then 5 when 'ethereum' then 6 when 'tron' then 7 when 'x402' then 8
    end) stored,
  network     text not null,
  tx_id       text collate "C" not null check (length(tx_id) between 1 and 200),
  tx_index    int not null default 0 check (tx_index >= 0),
  status      text not null check
    (status in ('detected', 'confirming', 'credited', 'rejected', 'reversed')),
  asset       text not null,
  amount      numeric(78) not null check (amount > 0),
  usd         bigint check (usd > 0),
  rate_price  numeric check (rate_price > 0),
  rate_source text,
  rate_at     timestamptz,
  reversed    bigint not null default 0,
  agent_id    bigint not null,
  root_id     bigint not null,
  sender      text,
  recipient   text,
  position    bigint, -- of its block
  paid_at     timestamptz, -- when its block was made
  bound_by    text check (bound_by in ('reference', 'address', 'wallet')),
  waits_for   text, -- a sentence
  look_at     timestamptz, -- when it is looked at again
  created_at  timestamptz not null default now(),
  credited_at timestamptz,
  constraint deposit_once unique (network, tx_id, tx_index),
  constraint deposit_agent foreign key (agent_id, root_id) references agent (id, root_id),
  constraint deposit_credited check
    ((credited_at is not null) = (status in ('credited', 'reversed'))
     and (credited_at is null or num_nonnulls(usd, rate_price, rate_source, rate_at) = 4)),
  constraint deposit_evidence check
    (num_nonnulls(sender, recipient, position, paid_at, bound_by) in (0, 5)),
  constraint deposit_waits check
    ((look_at is not null) = (status in ('detected', 'confirming'))
     and (waits_for is not null) = (status in ('detected', 'confirming', 'rejected'))),
  constraint deposit_reversed check
    (reversed >= 0 and (case status when 'reversed' then reversed = usd
                                    when 'credited' then reversed < usd else reversed = 0 end))
);
create index deposit_root on deposit (root_id, id); -- what a tree has paid in
create index deposit_waiting on deposit (look_at) where look_at is not null; -- watch_chains

-- A refund or a chargeback of a deposit (amount above 0), or what of those was undone (below 0).
-- taken left the treasury at once, owed did not. Final.
create table deposit_reversal (
  id         bigint generated always as identity primary key,
  deposit_id bigint not null references deposit,
  amount     bigint not null check (amount <> 0),
  taken      bigint not null default 0 check (taken >= 0),
  owed       bigint not null default 0 check (owed >= 0),
  created_at timestamptz not null default now(),
  constraint deposit_reversal_parts check (taken + owed = greatest(amount, 0))
);
create index deposit_reversal_of on deposit_reversal (deposit_id, id); -- what became of a deposit

-- What was paid of what a tree owed. Final.
create table owed_payment (
  id         bigint generated always as identity primary key,
  root_id    bigint not null references agent,
  amount     bigint not null check (amount > 0),
  created_at timestamptz not null default now()
);
create index owed_payment_root on owed_payment (root_id, id); -- proofs
-- trees that owe: collect_owed
create index treasury_owes on ledger.treasury (id) where owed > 0;

-- What we ask Stripe to collect: id is in the metadata of the payment there, so a payment that
-- names none of these is not ours. payment_id is known once the payment was read, and reads counts
-- how often that was recorded: what was read before another reading was recorded may be older.
create table card_payment (
  id         uuid primary key, -- of the call that asked for it
  agent_id   bigint not null,
  root_id    bigint not null,
  amount     bigint not null check (amount > 0 and amount % 10000 = 0), -- whole cents
  saves_card boolean not null,
  session_id text collate "C" unique, -- of its Checkout page; null: the card was charged by itself
  payment_id text collate "C" unique,
  reads      int not null default 0,
  deposit_id bigint unique references deposit,
  created_at timestamptz not null default now(),
  constraint card_payment_agent foreign key (agent_id, root_id) references agent (id, root_id)
);

-- Events that Stripe has sent: each is acted on once. Committed before Stripe is answered.
create table stripe_event (
  id          text collate "C" primary key check (length(id) between 1 and 255),
  type        text not null,
  received_at timestamptz not null default now()
);
create index stripe_event_received on stripe_event (received_at); -- forget_old_rows

-- The card that a tree has saved with Stripe, for charges without its owner.
create table saved_card (
  root_id     bigint primary key references agent,
  customer_id text not null,
  method_id   text not null, -- of the card, at Stripe
  brand       text not null,
  last4       text not null check (last4 ~ '^[0-9]{4}$'),
  saved_at    timestamptz not null default now()
);

-- When and how a tree's card is charged without its owner, in micro-dollars. failures are those in
-- a row; off_because says why it is off, if its owner has not turned it off.
create table auto_recharge (
  root_id       bigint primary key references agent,
  enabled       boolean not null,
  threshold     bigint not null check (threshold >= 0),
  amount        bigint not null check (amount >= 500000 and amount % 10000 = 0),
  monthly_limit bigint not null,
  failures      int not null default 0 check (failures between 0 and 3),
  not_before    timestamptz not null default now(), -- after a failure
  off_because   text check (off_because in ('failures', 'authentication_required')),
  constraint auto_recharge_within_limit check (amount <= monthly_limit),
  constraint auto_recharge_off check (not enabled or off_because is null and failures < 3)
);

-- A charge of a saved card. Written before Stripe is asked; its id is the key by which Stripe knows
-- the request again, so that it charges once. Of charging, one a tree.
create table recharge (
  id          uuid primary key references card_payment,
  root_id     bigint not null references agent,
  customer_id text not null,
  method_id   text not null,
  status      text not null default 'charging' check (status in ('charging', 'paid', 'failed')),
  reason      text, -- why it failed: a word of Stripe's
  created_at  timestamptz not null default now(),
  ended_at    timestamptz,
  constraint recharge_ended check ((ended_at is null) = (status = 'charging')),
  constraint recharge_failed check ((reason is not null) = (status = 'failed'))
);
-- one a tree
create unique index recharge_in_flight on recharge (root_id) where status = 'charging';
create index recharge_root on recharge (root_id, created_at); -- what was charged in a month
