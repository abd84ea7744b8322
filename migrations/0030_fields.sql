-- What lists and the wallet are asked for besides, each with its index. All but two are of what is
-- open or rare, so they stay small.

-- Indexes of what is held and of what is on its way (shared/wallet/places).
-- what sellers will be paid; get_orders of a seller by status
create index orders_coming on orders (seller_id, id) where status = 'escrow';
-- what is held for disputes; get_orders of a buyer by status
create index orders_disputed on orders (buyer_id, id) where status = 'disputed';
create index task_held on task (poster_id) where closed_at is null;
create index task_coming on task (worker_id) where status = 'submitted';
create index withdrawal_held on withdrawal (agent_id) where closed_at is null;
create index deposit_coming on deposit (agent_id) where status in ('detected', 'confirming');

-- get_orders by status: refunds are few, and would be looked for among all orders
create index orders_refunded on orders (buyer_id, id)
  where status in ('refunded', 'partially_refunded');
create index orders_given_back on orders (seller_id, id)
  where status in ('refunded', 'partially_refunded');

-- list_events of one object
create index event_object on event (object_id, object_kind, id);
