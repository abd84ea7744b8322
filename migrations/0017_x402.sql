-- Payments by x402: a payer signs an authorization (EIP-3009), and sends it with the call that it
-- pays for.

-- A payer without a key has an account that is bound to its address: 0x and 40 digits in lower
-- case.
create table x402_account (
  address    text primary key collate "C" check (address ~ '^0x[0-9a-f]{40}$'),
  agent_id   bigint not null unique,
  root_id    bigint not null,
  created_at timestamptz not null default now(),
  constraint x402_account_agent foreign key (agent_id, root_id) references agent (id, root_id),
  constraint x402_account_root check (agent_id = root_id)
);

-- The row is there before anybody is asked to settle the payment, and stands for the one call that
-- it pays for. open: it may be settled until valid_before. settled: it is on the chain, and
-- credited. lapsed: it is not on the chain, and can no more get there. agent_id is whose key came
-- with the call; null: none did, and the account of the payer is credited.
create table x402_payment (
  id           bigint generated always as identity primary key,
  network      text not null,
  asset        text not null,
  payer        text not null collate "C" check (payer ~ '^0x[0-9a-f]{40}$'),
  nonce        text not null collate "C" check (nonce ~ '^0x[0-9a-f]{64}$'),
  pay_to       text not null,
  amount       bigint not null check (amount >= 1000),
  version      smallint not null check (version in (1, 2)),
  authorization_sent jsonb not null, -- as it was signed
  signature    text not null,
  valid_before timestamptz not null,
  operation    text not null,
  input_hash   bytea not null check (length(input_hash) = 32), -- keyed, of operation and input
  agent_id     bigint,
  root_id      bigint,
  job_id       uuid not null, -- settles it, or did
  status       text not null default 'open' check (status in ('open', 'settled', 'lapsed')),
  reason       text, -- why it is not settled yet, in a word of the protocol
  tx_id        text,
  deposit_id   bigint unique references deposit,
  created_at   timestamptz not null default now(),
  settled_at   timestamptz,
  lapsed_at    timestamptz,
  -- One authorization pays for one call.
  constraint x402_payment_once unique (network, asset, payer, nonce),
  constraint x402_payment_agent foreign key (agent_id, root_id) references agent (id, root_id),
  constraint x402_payment_of_a_tree check ((agent_id is null) = (root_id is null)),
  constraint x402_payment_settled check
    (num_nonnulls(tx_id, deposit_id, settled_at) = case status when 'settled' then 3 else 0 end),
  constraint x402_payment_lapsed check ((status = 'lapsed') = (lapsed_at is not null))
);
-- forget_old_rows
create index x402_payment_lapsed on x402_payment (lapsed_at) where lapsed_at is not null;
