-- no transaction
drop index concurrently if exists deposit_by_card;
-- What a tree has paid by card: how much of its cash is held back from withdrawals.
create index concurrently deposit_by_card on deposit (root_id, credited_at)
  include (usd, reversed) where rail = 'card' and credited_at is not null;
