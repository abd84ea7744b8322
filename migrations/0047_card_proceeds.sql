-- Cash that a tree was paid by another whose money a bank may still take back, because it came by
-- card, or from a tree that has such money. It counts to what is kept back from withdrawals
-- (shared/domains/deposits/card/card_reserve.ts). A trigger makes a row for each such transfer.
create table card_proceeds (
  transfer_id bigint primary key,
  root_id     bigint not null, -- the tree that was paid
  payer_root  bigint not null,
  cash        bigint not null check (cash > 0),
  paid_at     timestamptz not null, -- the latest payment by card that it may be of
  constraint card_proceeds_of_others check (root_id <> payer_root)
);
-- what a tree was paid lately
create index card_proceeds_root on card_proceeds (root_id, paid_at) include (payer_root, cash);

\ir functions/ledger/note_card_proceeds.sql

create trigger note_card_proceeds after insert on ledger.transfer
  referencing new table as new_transfer
  for each statement execute function ledger.note_card_proceeds();
