-- Metered charges of each tree, and what was given back of earlier ones, among the transfers
-- between two ids: one row a tree and service. They are the root's, whichever agent was charged.
create or replace function gathered_charges(p_after bigint, p_to bigint)
returns table (root_id bigint, service text, first_id bigint, last_id bigint, count bigint,
               opened_at timestamptz, settled_at timestamptz, charged_credit bigint,
               charged_cash bigint, refunded_credit bigint, refunded_cash bigint)
language sql stable as $$
  select coalesce(t.from_root, t.to_root), split_part(t.kind, '.', 1), min(t.id), max(t.id),
         count(*), min(t.created_at), max(t.created_at),
         coalesce(sum(t.credit) filter (where t.from_root is not null), 0)::bigint,
         coalesce(sum(t.cash) filter (where t.from_root is not null), 0)::bigint,
         coalesce(sum(t.credit) filter (where t.to_root is not null), 0)::bigint,
         coalesce(sum(t.cash) filter (where t.to_root is not null), 0)::bigint
    from ledger.transfer t
   where t.id > p_after and t.id <= p_to
     and t.kind in ('proxy.charge', 'proxy.refund', 'email.charge', 'email.refund',
                    'token.charge', 'token.refund')
   group by 1, 2 order by 3
$$;
