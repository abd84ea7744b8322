-- What the address that is paid by x402 holds, as the chain says, to compare with what came in and
-- went out: a transfer that a node left out of its logs is missing there.

alter table x402_cursor
  add column base_block bigint, -- the first block whose balance is known, and compared from
  add column base_held  bigint check (base_held >= 0),
  add column held_block bigint, -- the newest one
  add column held       bigint check (held >= 0),
  add constraint x402_cursor_held check (
    num_nonnulls(base_block, base_held, held_block, held) in (0, 4)
    and base_block <= held_block and held_block <= compared_to);

-- What left the address. Its owner may collect what it holds.
create table x402_sent (
  network      text not null,
  asset        text not null,
  tx_hash      text not null collate "C" check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  log_index    int not null check (log_index >= 0),
  pay_to       text not null collate "C",
  recipient    text not null collate "C" check (recipient ~ '^0x[0-9a-f]{40}$'),
  amount       bigint not null check (amount > 0),
  block_number bigint not null,
  primary key (network, asset, tx_hash, log_index)
);
