import type { Proof } from '../ledger/proof.ts';

/** That each root agent has its treasury. */
export const agentsProofs: readonly Proof[] = [
  {
    name: 'each root agent has its treasury, with the welcome credit given once at most',
    sql: `select a.id as agent, count(e.id) as welcomes
            from agent a left join ledger.treasury t on t.id = a.id
            left join ledger.transfer e on e.kind = 'welcome' and e.to_id = a.id
           where a.owner_id is null group by a.id, t.id
          having t.id is null or count(e.id) > 1`,
  },
];
