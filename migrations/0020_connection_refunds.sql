-- What was given back for connections of the SOCKS5 server on which the target never sent a byte:
-- what their clients had sent by then went through for nothing, so it is counted for each tree.

-- One row a refunded connection.
create table connection_refund (
  charge_id   bigint primary key references charge,
  root_id     bigint not null references agent, -- the tree that paid
  bytes       int not null check (bytes >= 0), -- what it counts as, of the day's allowance
  refunded_at timestamptz not null default now()
);
-- how many bytes of a tree were refunded today
create index connection_refund_root on connection_refund (root_id, refunded_at) include (bytes);

insert into connection_refund (charge_id, root_id, bytes, refunded_at)
select r.charge_id, c.root_id, 0, r.created_at
  from charge_refund r join charge c on c.id = r.charge_id
 where r.cause like 'connection:%' and r.created_at > now() - interval '7 days';
