-- What the wallet lists as held and as on its way (shared/wallet/places), and orders by status. The
-- indexes are of what is open or rare, so they stay small.

-- what sellers will be paid; get_orders of a seller by status
create index orders_coming on orders (seller_id, id) where status = 'escrow';
-- what is held for disputes; get_orders of a buyer by status
create index orders_disputed on orders (buyer_id, id) where status = 'disputed';
-- what posters have in tasks
create index task_held on task (poster_id) where closed_at is null;
-- what workers will be paid for results in review
create index task_coming on task (worker_id) where status = 'submitted';
-- what is leaving
create index withdrawal_held on withdrawal (agent_id) where closed_at is null;
-- what was seen and is not final
create index deposit_coming on deposit (agent_id) where status in ('detected', 'confirming');

-- get_orders by status: refunds are few, and would be looked for among all orders
create index orders_refunded on orders (buyer_id, id)
  where status in ('refunded', 'partially_refunded');
-- the same of sellers
create index orders_given_back on orders (seller_id, id)
  where status in ('refunded', 'partially_refunded');
