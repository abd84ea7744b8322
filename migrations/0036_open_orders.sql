-- get_orders of a buyer by status: one may have thousands of open orders, and ever more that are
-- closed.
create index orders_open on orders (buyer_id, id) where status = 'escrow';
