-- Additions to the records of both sides by the deals that were settled between two ids, by pair
-- of an agent and a tree. Only a seller's pairs have fees: work pays none, and what a buyer has
-- paid is no merit of its own.
create or replace function pairs_between(p_after bigint, p_to bigint)
returns table (agent_id bigint, role text, other_root bigint, settled int, amount bigint,
               fees bigint, gain float8, loss float8, refunded int, disputed int,
               disputes_lost int, last_at timestamptz)
language sql stable as $$
  select side.agent_id, side.role, side.other_root, count(*)::int, sum(paid)::bigint,
         sum(side.fee)::bigint, sum(side.fee * record_weight(settled_at)),
         sum(side.lost_fee * record_weight(settled_at)), count(*) filter (where d.refunded)::int,
         count(*) filter (where d.disputed)::int, count(*) filter (where side.lost)::int,
         max(settled_at)
    from deals_between(p_after, p_to) d
   cross join lateral (values
     (payee_id, payee_role, payer_root, fee, lost_fee, payee_lost),
     (payer_id, payer_role, payee_root, 0, 0, payer_lost)
   ) as side(agent_id, role, other_root, fee, lost_fee, lost)
   group by 1, 2, 3
$$;
