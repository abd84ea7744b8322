import type { Proof } from '../ledger/proof.ts';

/** Proofs that accounts that were closed are closed. */
export const closingProofs: readonly Proof[] = [
  {
    name: 'nobody acts for an account that was closed, and nothing of it is on sale',
    sql: `select r.id as closed, found.what
            from agent r
           cross join lateral (
             select 'key' as what from agent a join api_key k on k.agent_id = a.id
              where a.root_id = r.id and k.revoked_at is null
             union all
             select 'proxy key' from agent a join proxy_key k on k.agent_id = a.id
              where a.root_id = r.id
             union all
             select 'connection' from connection c where c.root_id = r.id and c.revoked_at is null
             union all
             select 'passkey' from passkey p where p.agent_id = r.id
             union all
             select 'product' from product p where p.root_id = r.id and p.active
             union all
             select 'open withdrawal' from withdrawal w
              where w.root_id = r.id and w.closed_at is null
             union all
             select 'open purchase' from orders o
              where o.buyer_root = r.id and o.closed_at is null
             union all
             select 'address' from proven_address p where p.agent_id = r.id) found
           where r.closed_at is not null`,
  },
];
