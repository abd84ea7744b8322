import type { Proof } from '../ledger/proof.ts';

/** SQL: the settlements of these kinds up to the mark, each with its moment and what it moved. */
const settled = (kinds: string) => `
  (select ref, max(created_at) as settled_at,
          coalesce(sum(credit + cash) filter (where kind like '%.release'), 0) as paid,
          coalesce(sum(cash) filter (where kind = 'order.fee'), 0) as fee,
          coalesce(sum(cash) filter (where kind = 'order.refund'), 0)::bigint as back
     from ledger.transfer where kind in (${kinds})
    group by ref having min(id) <= (select id from record_watermark)) s`;

/**
 * SQL: the pairs of all deals that were settled up to the mark. Written apart from the functions
 * that gather them, which look up the transfers of each deal: right for a few, slow for all.
 */
const PAIRS = `
  select agent_id, role, other_root, count(*) as settled, sum(paid) as amount, sum(fee) as fees,
         sum(fee * record_weight(settled_at)) as gain,
         sum(lost_fee * record_weight(settled_at)) as loss,
         count(*) filter (where refunded) as refunded, count(*) filter (where disputed) as disputed,
         count(*) filter (where lost) as disputes_lost, max(settled_at) as last_at
    from (
      select o.seller_id, 'seller', o.seller_root, o.buyer_id, 'buyer', o.buyer_root, settled_at,
             s.paid, s.fee,
             case when d.outcome not in ('withdrawn', 'release') then back / 11 else 0 end,
             o.refunded > 0, d.order_id is not null, d.outcome not in ('withdrawn', 'release'),
             d.outcome = 'release'
        from ${settled(`'order.release', 'order.refund', 'order.fee'`)}
        join orders o on o.id = s.ref
        left join dispute d on d.order_id = o.id
      union all
      select b.bidder_id, 'worker', b.bidder_root, t.poster_id, 'poster', t.poster_root,
             settled_at, t.paid, 0, 0, t.status <> 'approved', d.task_id is not null,
             d.verdict = 'refund', d.verdict <> 'refund'
        from ${settled(`'task.release', 'task.refund'`)}
        join task t on t.id = s.ref
        join bid b on b.id = t.bid_id
        left join task_dispute d on d.task_id = t.id
       where t.status in ('approved', 'refunded', 'partially_refunded')
      union all
      select c.agent_id, 'worker', c.root_id, t.poster_id, 'poster', t.poster_root, settled_at,
             s.paid, 0, 0, false, false, false, false
        from ${settled(`'labor.release'`)}
        join labor_claim c on c.id = s.ref
        join labor_task t on t.id = c.task_id
    ) as deal(payee_id, payee_role, payee_root, payer_id, payer_role, payer_root, settled_at, paid,
              deal_fee, lost_deal_fee, refunded, disputed, payee_lost, payer_lost)
   cross join lateral (values
     (payee_id, payee_role, payer_root, deal_fee, lost_deal_fee, payee_lost),
     (payer_id, payer_role, payee_root, 0, 0, payer_lost)
   ) as side(agent_id, role, other_root, fee, lost_fee, lost)
   where payee_root <> payer_root group by 1, 2, 3`;

/** Proofs that records are what settled deals say, and nothing else. */
export const recordsProofs: readonly Proof[] = [
  {
    name: 'each pair of a record is what its settled deals up to the mark say',
    sql: `select agent_id, role, other_root, kept.settled, deals.settled as by_deals, kept.fees,
                 deals.fees as fees_by_deals, kept.gain, deals.gain as gain_by_deals
            from record_pair kept
            full join (${PAIRS}) deals
           using (agent_id, role, other_root)
           where (kept.settled, kept.amount, kept.fees, kept.refunded, kept.disputed,
                  kept.disputes_lost, kept.last_at)
                 is distinct from
                 (deals.settled, deals.amount, deals.fees, deals.refunded, deals.disputed,
                  deals.disputes_lost, deals.last_at)
              or abs(kept.gain - deals.gain) > 1e-6 * (1 + deals.gain)
              or abs(kept.loss - deals.loss) > 1e-6 * (1 + deals.loss)`,
  },
  {
    // Written apart from the function that finds deals: from the orders and the ledger.
    name: 'the sales and fees of records are those of the ledger up to the mark',
    sql: `select seller_id, kept.settled, sold.settled as by_orders, kept.fees,
                 sold.fees as by_ledger
            from (select agent_id as seller_id, settled, fees from agent_record
                   where role = 'seller') kept
            full join (
              select o.seller_id, count(*) as settled, coalesce(sum(fee.cash), 0) as fees
                from (select distinct ref from ledger.transfer
                       where kind in ('order.release', 'order.refund', 'order.fee')
                         and id <= (select id from record_watermark)) settling
                join orders o on o.id = settling.ref
                left join ledger.transfer fee on (fee.ref, fee.kind) = (o.id, 'order.fee')
               group by 1) sold
           using (seller_id)
           where (kept.settled, kept.fees) is distinct from (sold.settled, sold.fees)`,
  },
  {
    name: 'a tree counts for a seller if it has paid enough and owes nothing up to the mark',
    sql: `select p.agent_id, p.other_root, p.fees, p.counts, debt.owed
            from record_pair p
            left join (
              select coalesce(from_root, to_root) as root_id,
                     sum(case when from_account = 'receivable' then cash else -cash end) as owed
                from ledger.transfer
               where 'receivable' in (from_account, to_account)
                 and id <= (select id from record_watermark) group by 1) debt
              on debt.root_id = p.other_root
           where p.counts <> (p.fees >= 100000 and coalesce(debt.owed, 0) = 0)`,
  },
  {
    name: 'each record is the sum of its pairs',
    sql: `select agent_id, role, r.settled, p.settled as by_pairs, r.established,
                 p.established as established_by_pairs, r.gain, p.gain as gain_by_pairs
            from agent_record r
            full join (
              select agent_id, role, sum(settled)::int as settled,
                     count(*)::int as counterparties,
                     count(*) filter (where counts)::int as established,
                     sum(amount)::bigint as amount, sum(fees)::bigint as fees,
                     coalesce(sum(gain) filter (where counts), 0) as gain, sum(loss) as loss,
                     sum(refunded)::int as refunded, sum(disputed)::int as disputed,
                     sum(disputes_lost)::int as disputes_lost, max(last_at) as last_at
                from record_pair group by 1, 2) p
           using (agent_id, role)
           where (r.settled, r.counterparties, r.established, r.amount, r.fees, r.refunded,
                  r.disputed, r.disputes_lost, r.last_at)
                 is distinct from
                 (p.settled, p.counterparties, p.established, p.amount, p.fees, p.refunded,
                  p.disputed, p.disputes_lost, p.last_at)
              or abs(r.gain - p.gain) > 1e-6 * (1 + p.gain)
              or abs(r.loss - p.loss) > 1e-6 * (1 + p.loss)`,
  },
];
