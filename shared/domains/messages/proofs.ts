import type { Proof } from '../ledger/proof.ts';

/** Proofs that messages go only to the other party, and only in the name of their sender. */
export const messagesProofs: readonly Proof[] = [
  {
    name: 'each message is between the parties of its order, its task and bid, or its claim',
    sql: `select m.id as message, m.order_id, m.task_id, m.claim_id, m.sender_id, m.recipient_id
            from message m
            left join orders o on o.id = m.order_id
            left join task t on t.id = m.task_id
            left join bid on bid.id = m.bid_id
            left join labor_claim c on c.id = m.claim_id
            left join labor_task labor on labor.id = c.task_id
            cross join lateral (
              select coalesce(o.buyer_id, t.poster_id, labor.poster_id) as one,
                     coalesce(o.seller_id, bid.bidder_id, c.agent_id) as other) party
           where (m.sender_id, m.recipient_id) not in ((one, other), (other, one))`,
  },
  {
    name: 'each message was written by its sender, or by an agent above it',
    sql: `select m.id as message, m.sender_id, m.sent_by
            from message m join agent sender on sender.id = m.sender_id
           where not m.sent_by = any (sender.lineage)`,
  },
];
