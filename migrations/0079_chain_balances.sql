-- What our addresses hold by the chain: to find what no transaction shows, and to compare it with
-- the books.

-- Addresses are read in pages: -1 is the one that all payers share, and n those of the agents whose
-- ids are from 500 n on.
create table chain_balance_page (
  network    text not null,
  page       bigint not null check (page >= -1),
  block      bigint, -- its addresses were read after it; null: they were not read yet
  read_at    timestamptz, -- those that were not read for longest come first
  gaps       int not null default 0, -- balances that the books did not explain when they were read
  fault      text, -- of page -1: why the network could not be read last
  busy_until timestamptz, -- of page -1: a job reads the network
  created_at timestamptz not null default now(),
  primary key (network, page)
);
-- read_balances
create index chain_balance_page_due on chain_balance_page (network, read_at nulls first);

-- held = base + what the books say was paid to the address from base_block on + moved. No row: it
-- held nothing, and nothing was paid to it. moved is what came and went otherwise: sweeps and their
-- fees, returns, payments by our own wallets. Amounts are in base units.
create table chain_balance (
  network    text not null,
  asset      text not null,
  address    text not null collate "C",
  page       bigint not null,
  base_block bigint not null,
  base       numeric(78) not null check (base >= 0),
  held       numeric(78) not null check (held >= 0), -- after the block of its page
  moved      numeric(78) not null default 0,
  primary key (network, asset, address),
  constraint chain_balance_page foreign key (network, page) references chain_balance_page
) with (fillfactor = 70);
create index chain_balance_in_page on chain_balance (network, page); -- read_balances
