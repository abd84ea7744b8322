-- no transaction
drop index concurrently if exists deposit_by_recipient;
-- What was paid to an address in some blocks: read_balances, and the audit.
create index concurrently deposit_by_recipient on deposit (network, recipient, position)
  where recipient is not null;
