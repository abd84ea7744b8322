-- How payments by chain are found, and whose they are. Networks that share their addresses are one
-- family.

-- A wallet that has proven, by signing what we gave it, that it is of this agent. What it pays
-- without naming anybody is for that agent.
create table linked_wallet (
  family    text not null check (family in ('evm', 'tron', 'solana', 'algorand')),
  address   text not null collate "C",
  agent_id  bigint not null,
  root_id   bigint not null,
  linked_at timestamptz not null default now(),
  primary key (family, address), -- of one agent
  constraint linked_wallet_agent foreign key (agent_id, root_id) references agent (id, root_id)
);

-- What an agent was given to sign last, until it has or until it is over. One an agent, so that
-- nothing piles up.
create table wallet_challenge (
  agent_id   bigint primary key references agent,
  family     text not null,
  address    text not null,
  nonce      text not null,
  issued_at  timestamptz not null,
  expires_at timestamptz not null
);

-- An address that only one agent has, for payers that can name nobody. It is derived from an
-- extended public key at this index.
create table deposit_address (
  family     text not null check (family in ('evm', 'tron')),
  index      bigint not null check (index between 0 and 2147483647),
  address    text not null collate "C",
  agent_id   bigint not null,
  root_id    bigint not null,
  created_at timestamptz not null default now(),
  primary key (family, index),
  constraint deposit_address_once unique (family, address),
  constraint deposit_address_one unique (family, agent_id),
  constraint deposit_address_agent foreign key (agent_id, root_id) references agent (id, root_id)
);

-- How far a network was searched for payments to us. Written in the transaction that credits what
-- was found up to there.
create table chain_cursor (
  network      text primary key, -- as deposits name it
  rail         text not null,
  position     bigint, -- the last block that was searched; null: none yet
  caught_up_at timestamptz not null default now(), -- when nothing was left to be searched
  unbound      bigint not null default 0, -- payments of nobody, or worth too little, so far
  busy_until   timestamptz, -- a job searches it
  fault        text, -- why it was not searched further
  faulted_at   timestamptz,
  constraint chain_cursor_faulted check ((fault is null) = (faulted_at is null))
);
