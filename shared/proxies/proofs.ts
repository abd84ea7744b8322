import type { Proof } from '../ledger/proof.ts';

/** That sales and reports of proxies agree with the charges that they speak of. */
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
];
