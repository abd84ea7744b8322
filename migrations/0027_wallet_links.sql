-- Wallets that are contracts, and wallets that are an agent's no longer.

-- A wallet with a key is the same on all networks of its family. A contract may be somebody else's
-- on another network, so it is linked on those where it has said that it signed.
alter table linked_wallet
  add network     text not null default 'all', -- of deposits; all: of its whole family
  add unlinked_at timestamptz, -- what it paid until then stays the agent's
  add id          bigint generated always as identity;
alter table linked_wallet drop constraint linked_wallet_pkey;
alter table linked_wallet add primary key (id);
-- Whose a payment is, and that a wallet is one agent's at a time.
create unique index linked_wallet_once on linked_wallet (family, address, network)
  where unlinked_at is null;
-- Payments of then.
create index linked_wallet_before on linked_wallet (family, address, unlinked_at);
