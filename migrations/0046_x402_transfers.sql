-- What the chain says was paid at the address that is paid by x402, read block by block once these
-- are final, to compare payments with.

-- How far the chain was read. Payments in the blocks after began_after and up to compared_to are
-- transfers that were read, or they are not on the chain. Both are null until a node has answered.
create table x402_cursor (
  network      text not null,
  asset        text not null,
  pay_to       text not null collate "C" check (pay_to ~ '^0x[0-9a-f]{40}$'),
  began_after  bigint,
  compared_to  bigint,
  caught_up_at timestamptz, -- when nothing was left to be read
  fault        text, -- why it was not read further
  primary key (network, asset, pay_to),
  constraint x402_cursor_begun check
    ((began_after is null) = (compared_to is null) and began_after <= compared_to)
);

create table x402_transfer (
  network      text not null,
  asset        text not null,
  tx_hash      text not null collate "C" check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index    int not null check (log_index >= 0),
  pay_to       text not null collate "C",
  sender       text not null collate "C" check (sender ~ '^0x[0-9a-f]{40}$'),
  amount       bigint not null check (amount > 0),
  block_number bigint not null,
  nonce        text collate "C" check (nonce ~ '^0x[0-9a-f]{64}$'), -- null: of no authorization
  credited     boolean not null, -- its payment was settled here when it was read
  primary key (network, asset, tx_hash, log_index),
  -- The asset takes an authorization once.
  constraint x402_transfer_once unique (network, asset, sender, nonce)
);
-- rails_status: what may be of nobody
create index x402_transfer_uncredited on x402_transfer (network, asset, pay_to) where not credited;

-- The block that a payment was found in; null: it was settled before this column was there.
alter table x402_payment add column block_number bigint;
