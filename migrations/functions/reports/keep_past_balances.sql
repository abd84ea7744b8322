-- Keeps balances of trees after some of their transfers above p_from and up to p_to, each from the
-- balance that was kept before. The hash chooses the transfers, so that no habit of a tree avoids
-- it, and nothing has to be counted: each transfer of a tree is read about once.
create or replace function keep_past_balances(p_from bigint, p_to bigint) returns void
language sql as $$
  insert into public.past_balance (root_id, transfer_id, balance)
  select root_id, id, balance
    from (select r.root_id, m.id,
                 coalesce(k.balance, 0) + sum(m.amount) over (partition by r.root_id order by m.id)
                   as balance
            from (select from_id as root_id from ledger.transfer
                   where from_account = 'treasury' and id > p_from and id <= p_to
                     and hashint8(id) & 63 = 0
                  union
                  select to_id from ledger.transfer
                   where to_account = 'treasury' and id > p_from and id <= p_to
                     and hashint8(id) & 63 = 0) r
            left join lateral (
              select transfer_id, balance from public.past_balance
               where root_id = r.root_id order by transfer_id desc limit 1) k on true
           cross join lateral (
              select id, -(credit + cash) as amount from ledger.transfer
               where from_account = 'treasury' and from_id = r.root_id
                 and id > coalesce(k.transfer_id, 0) and id <= p_to
              union all
              select id, credit + cash from ledger.transfer
               where to_account = 'treasury' and to_id = r.root_id
                 and id > coalesce(k.transfer_id, 0) and id <= p_to) m) moved
   where hashint8(id) & 63 = 0
$$;
