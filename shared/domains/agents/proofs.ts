import type { Proof } from '../ledger/proof.ts';

/** Proofs that roots have treasuries and welcome credit, and that rows name their agents' trees. */
export const agentsProofs: readonly Proof[] = [
  {
    name: 'each root agent has its treasury, with the welcome credit given once at most',
    sql: `select a.id as agent, count(e.id) as welcomes
            from agent a left join ledger.treasury t on t.id = a.id
            left join ledger.transfer e on e.kind = 'welcome' and e.to_id = a.id
           where a.owner_id is null group by a.id, t.id
          having t.id is null or count(e.id) > 1`,
  },
  {
    name: 'each job and each event names the tree of its agent',
    sql: `select r.of, r.id, r.agent_id, r.root_id, a.root_id as tree
            from (select 'job' as of, id::text, agent_id, root_id from job
                  union all
                  select 'event', id::text, agent_id, root_id from event) r
            left join agent a on a.id = r.agent_id
           where r.root_id <> coalesce(a.root_id, 0)`,
  },
  {
    name: 'the welcome credit of each day is what was counted for its limit',
    sql: `select given.day, given.credit, welcome_credit.granted
            from (select (created_at at time zone 'UTC')::date as day, sum(credit) as credit
                    from ledger.transfer where kind = 'welcome' group by 1) given
            full join welcome_credit using (day)
           where coalesce(given.credit, 0) <> coalesce(welcome_credit.granted, 0)`,
  },
  {
    name: 'each mailbox that had the welcome credit is of an agent that was given it',
    sql: `select m.agent_id, mailbox_of(a.email) = m.mailbox as is_its_mailbox
            from welcome_mailbox m join agent a on a.id = m.agent_id
            left join ledger.transfer t on t.kind = 'welcome' and t.ref = a.id
           where t.ref is null
              or (a.closed_at is null and mailbox_of(a.email) <> m.mailbox
                  and not exists (select from former_address f
                                   where f.agent_id = a.id
                                     and mailbox_of(f.address) = m.mailbox))`,
  },
];
