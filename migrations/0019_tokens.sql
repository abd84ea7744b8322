-- Tokens that agents issue on Algorand: assets (ASA), and NFTs in a contract of ours (ARC-72).

-- 4 is what was earned by issuing tokens.
insert into ledger.route
  (kind, from_account, to_account, from_id, to_id, allows_credit, allows_cash) values
  ('token.charge', 'treasury', 'revenue',  null, 4,    true, true),
  ('token.refund', 'revenue',  'treasury', 4,    null, true, true);

-- An account of ours on a network, which issues. spendable is what was in it above its minimum
-- balance when the network was last asked.
create table token_wallet (
  id         bigint generated always as identity primary key,
  network    text not null check (network in ('mainnet', 'sandbox')),
  address    text collate "C" not null check (address ~ '^[A-Z2-7]{58}$'),
  spendable  bigint, -- micro-ALGO
  fault      text, -- why nothing is signed
  faulted_at timestamptz,
  looked_at  timestamptz, -- when spendable was so
  created_at timestamptz not null default now(),
  constraint token_wallet_once unique (network, address),
  constraint token_wallet_faulted check ((fault is null) = (faulted_at is null)),
  constraint token_wallet_looked check ((spendable is null) = (looked_at is null))
);

create sequence token_id;

-- What is issued, once. pending: nothing is signed. submitted: a transaction of ours may issue it
-- at any time. Of kind contract: the application that NFTs are kept in, which nobody pays for.
create table token (
  id           bigint primary key default nextval('token_id'),
  kind         text not null check (kind in ('asa', 'nft', 'contract')),
  network      text not null check (network in ('mainnet', 'sandbox')),
  call_id      uuid unique, -- one call issues one
  agent_id     bigint,
  root_id      bigint,
  charge_id    bigint unique references charge,
  name         text check (octet_length(name) between 1 and 32),
  unit_name    text check (octet_length(unit_name) between 1 and 8),
  total_supply numeric(20) check (total_supply between 1 and 18446744073709551615),
  decimals     int check (decimals between 0 and 19),
  address      text collate "C" check (address ~ '^[A-Z2-7]{58}$'), -- who gets the NFT
  uri          text check (octet_length(uri) between 1 and 256),
  wallet_id    bigint references token_wallet, -- whose contract it is, or who signed
  contract_id  bigint references token, -- that has the NFT
  number       bigint check (number > 0), -- of the NFT in its contract
  status       text not null default 'pending' check (status in
    ('pending', 'submitted', 'deployed', 'failed')),
  algo_id      bigint check (algo_id > 0), -- of the asset or the application
  tx_id        text check (tx_id ~ '^[A-Z2-7]{52}$'), -- that has issued it
  round        bigint,
  failure      text,
  created_at   timestamptz not null default now(),
  closed_at    timestamptz,
  constraint token_agent foreign key (agent_id, root_id) references agent (id, root_id),
  constraint token_asa check ((kind = 'asa') = (name is not null)
    and (kind = 'asa') = (unit_name is not null) and (kind = 'asa') = (total_supply is not null)
    and (kind = 'asa') = (decimals is not null)),
  constraint token_nft check ((kind = 'nft') = (address is not null)
    and (kind = 'nft') = (uri is not null)
    and (number is null) = (contract_id is null) and (kind = 'nft' or number is null)),
  constraint token_issued check ((kind = 'contract') = (agent_id is null)
    and (agent_id is null) = (root_id is null) and (agent_id is null) = (call_id is null)
    and (agent_id is null) = (charge_id is null)),
  constraint token_number_once unique (contract_id, number),
  constraint token_closed check ((closed_at is not null) = (status in ('deployed', 'failed'))),
  constraint token_deployed check ((status = 'deployed') = (algo_id is not null)
    and (status = 'deployed') = (tx_id is not null) and (status = 'deployed') = (round is not null)
    and (kind <> 'nft' or status not in ('submitted', 'deployed') or number is not null)),
  constraint token_failed check ((status = 'failed') = (failure is not null))
) with (fillfactor = 80);
create index token_of_an_agent on token (agent_id, id); -- list_asa
create index token_open on token (id) where closed_at is null; -- the timer, operators
-- The contract of a wallet; at most one is made.
create unique index token_contract on token (wallet_id)
  where kind = 'contract' and status <> 'failed';
-- Numbers are given in turn, so one NFT of a contract is on its way at a time.
create unique index token_nft_open on token (contract_id)
  where kind = 'nft' and status = 'submitted';

-- What was signed for a token: the transactions of one group, in the order of their bytes. The
-- network takes it in no round after last_valid, and only then the next attempt is signed. A row is
-- committed before its bytes are sent.
create table token_transaction (
  token_id   bigint not null references token,
  attempt    int not null check (attempt > 0),
  tx_id      text not null unique check (tx_id ~ '^[A-Z2-7]{52}$'), -- of the one that issues it
  bytes      text not null, -- base64
  last_valid bigint not null check (last_valid > 0),
  signed_at  timestamptz not null default now(),
  primary key (token_id, attempt)
);
