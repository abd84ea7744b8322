import type { Proof } from '../ledger/proof.ts';
import { REFUNDED_BYTES } from './sale/refund_connection.ts';

/** Proofs that sales and reports of proxies agree with their charges. */
export const proxiesProofs: readonly Proof[] = [
  {
    name: 'each sale of proxies was charged to its agent, for as many as were sold',
    sql: `select s.charge_id, s.agent_id, cardinality(s.proxy_ids) as sold, c.agent_id as charged,
                 c.service, c.units
            from proxy_sale s left join charge c on c.id = s.charge_id
           where (c.service, c.units, c.agent_id)
                 is distinct from ('proxy', cardinality(s.proxy_ids), s.agent_id)`,
  },
  {
    name: 'each proxy that was reported has given back what its report says',
    sql: `select coalesce(r.charge_id, b.charge_id) as charge, r.proxy_id, b.cause, r.credited,
                 b.credit + b.cash as given_back
            from proxy_report r
            full join (select * from charge_refund where cause like 'proxy:%') b
              on b.charge_id = r.charge_id and b.cause = 'proxy:' || r.proxy_id
           where coalesce(r.credited, 0) <> coalesce(b.credit + b.cash, 0)
             -- after a week reports are forgotten, and their refunds are not
             and (r.charge_id is not null or b.created_at > now() - interval '6 days')`,
  },
  {
    name: 'each connection that was refunded has given back its whole price',
    sql: `select coalesce(c.charge_id, b.charge_id) as charge, b.cause, b.unit_price,
                 b.credit + b.cash as given_back
            from connection_refund c
            full join (select r.*, p.unit_price from charge_refund r
                         join charge p on p.id = r.charge_id where cause like 'connection:%') b
              on b.charge_id = c.charge_id
           where (c.charge_id is null or b.charge_id is null or b.credit + b.cash <> b.unit_price)
             -- after a week they are forgotten, and their refunds are not
             and (c.charge_id is not null or b.created_at > now() - interval '6 days')`,
  },
  {
    name: 'no tree sent more over connections that were refunded on a day than it may',
    sql: `select back.*, bought.count as bought
            from (select root_id, date_trunc('day', refunded_at, 'UTC') as day, sum(bytes) as bytes
                    from connection_refund group by 1, 2) back
            left join (
              select a.root_id, date_trunc('day', c.created_at, 'UTC') as day, count(*)
                from charge c join agent a on a.id = c.agent_id
               where c.service = 'proxy' group by 1, 2) bought using (root_id, day)
           where back.bytes > ${REFUNDED_BYTES.aDay}
                              + ${REFUNDED_BYTES.aPurchase} * coalesce(bought.count, 0)`,
  },
];
