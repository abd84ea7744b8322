-- Withdrawals: cash of a tree of agents that leaves as USDC, each by one transaction of a wallet of
-- ours.

-- 4 is the account of what came in on Base (deposit.account_id).
insert into ledger.route
  (kind, from_account, to_account, from_id, to_id, allows_credit, allows_cash) values
  ('withdrawal.hold',   'treasury', 'escrow',   null, null, false, true),
  ('withdrawal.paid',   'escrow',   'asset',    null, 4,    false, true),
  ('withdrawal.refund', 'escrow',   'treasury', null, null, false, true);

-- An account of ours on a chain, which pays. next_nonce is the number of its next transaction: only
-- here numbers are given out. compared_to is the last block whose payments are in chain_payment.
-- usdc and gas_payments are what was in it when the chain was last asked.
create table hot_wallet (
  id          bigint generated always as identity primary key,
  chain_id    bigint not null,
  address     text collate "C" not null check (address ~ '^0x[0-9A-Fa-f]{40}$'),
  next_nonce  bigint not null check (next_nonce >= 0),
  first_nonce bigint not null, -- what it was when it was first used here
  compared_to bigint not null,
  fault       text, -- why no payment begins
  faulted_at  timestamptz,
  usdc         bigint, -- micro-dollars
  gas_payments bigint, -- for how many payments its gas suffices
  looked_at    timestamptz, -- when that was so
  created_at  timestamptz not null default now(),
  constraint hot_wallet_once unique (chain_id, address),
  constraint hot_wallet_nonces check (next_nonce >= first_nonce),
  constraint hot_wallet_faulted check ((fault is null) = (faulted_at is null)),
  constraint hot_wallet_looked check (
    (usdc is null) = (looked_at is null) and (gas_payments is null) = (looked_at is null))
);

-- Where a tree has withdrawn to. The first payment to an address waits until usable_from.
create table payout_address (
  root_id     bigint not null references agent,
  chain_id    bigint not null,
  address     text collate "C" not null check (address ~ '^0x[0-9A-Fa-f]{40}$'),
  created_at  timestamptz not null default now(),
  usable_from timestamptz not null,
  primary key (root_id, chain_id, address)
);

create sequence withdrawal_id;

-- requested: nothing has left us, and it can be cancelled. processing: it has a nonce, so a
-- transaction of ours may pay it at any time. tx_hash is the transaction that was found on the
-- chain; needs is why an operator has to look at it.
create table withdrawal (
  id           bigint primary key default nextval('withdrawal_id'),
  call_id      uuid not null unique, -- one call asks for one
  agent_id     bigint not null,
  root_id      bigint not null,
  chain_id     bigint not null,
  address      text collate "C" not null,
  -- micro-dollars, which are the units of USDC; up to $1 million
  amount       bigint not null check (amount between 1 and 1000000000000),
  escrow_id    bigint not null unique,
  spent_on     date not null, -- the UTC day whose limits it counts to
  status       text not null default 'requested' check (status in
    ('requested', 'processing', 'paid', 'failed', 'cancelled')),
  not_before   timestamptz not null, -- when its address may be paid to
  review       text check (review in ('pending', 'approved', 'denied')), -- null: none is needed
  review_note  text,
  wallet_id    bigint references hot_wallet,
  nonce        bigint,
  tx_hash      text check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  block_number bigint,
  taken_at     bigint, -- the newest block when its nonce was first seen to be used by another
  failure      text, -- why it failed
  needs        text, -- what an operator must find out
  created_at   timestamptz not null default now(),
  started_at   timestamptz, -- when it got its nonce
  closed_at    timestamptz,
  constraint withdrawal_agent foreign key (agent_id, root_id) references agent (id, root_id),
  constraint withdrawal_address foreign key (root_id, chain_id, address) references payout_address,
  constraint withdrawal_nonce unique (wallet_id, nonce),
  constraint withdrawal_started check (
    (nonce is null) = (wallet_id is null) and (nonce is null) = (started_at is null)
    and (status not in ('processing', 'paid') or nonce is not null)
    and (status not in ('requested', 'cancelled') or nonce is null)),
  constraint withdrawal_reviewed check (
    (review is distinct from 'pending' or status in ('requested', 'cancelled'))
    and (review is distinct from 'denied' or status = 'failed')),
  constraint withdrawal_closed check
    ((closed_at is not null) = (status in ('paid', 'failed', 'cancelled'))),
  constraint withdrawal_paid check
    (status <> 'paid' or tx_hash is not null and block_number is not null),
  constraint withdrawal_failed check ((status = 'failed') = (failure is not null)),
  constraint withdrawal_needs check (needs is null or status = 'processing')
) with (fillfactor = 80);
create index withdrawal_of_a_tree on withdrawal (root_id, id); -- list_withdrawals, the day's limit
create index withdrawal_open on withdrawal (id) where closed_at is null; -- the timer, operators

-- What was signed for a withdrawal. All of one withdrawal have its nonce, so the chain takes one of
-- them at most. A row is committed before its bytes are sent.
create table payout_transaction (
  withdrawal_id bigint not null references withdrawal,
  attempt       int not null check (attempt > 0),
  max_fee       bigint not null check (max_fee > 0), -- wei a unit of gas
  priority_fee  bigint not null check (priority_fee >= 0 and priority_fee <= max_fee),
  hash          text not null unique check (hash ~ '^0x[0-9a-f]{64}$'),
  bytes         text not null check (bytes ~ '^0x[0-9a-f]+$'),
  signed_at     timestamptz not null default now(),
  primary key (withdrawal_id, attempt)
);

-- What the chain says that left a hot wallet, read block by block once these are final.
create table chain_payment (
  wallet_id    bigint not null references hot_wallet,
  tx_hash      text not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index    int not null,
  address      text not null, -- who got it
  amount       bigint not null,
  block_number bigint not null,
  primary key (wallet_id, tx_hash, log_index)
);
