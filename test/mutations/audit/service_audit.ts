import type { Mutation } from '../mutation.ts';

const tests = ['test/kernel/audit.test.ts'];

/** Proofs of charges, services, stock and agents that look at less than they say. */
export const SERVICE_AUDIT: readonly Mutation[] = [
  {
    name: 'charge_may_be_paid_in_part',
    file: 'shared/domains/wallet/proofs.ts',
    from: `or e.id is null or e.from_id <> c.root_id
              or (e.credit, e.cash) <> (c.credit, c.cash)\`,
  },
  {
    name: 'each refund`,
    to: `or e.id is null or e.from_id <> c.root_id\`,
  },
  {
    name: 'each refund`,
    tests,
    grep: 'each charge was paid',
  },
  {
    name: 'charge_may_be_paid_without_being_recorded',
    file: 'shared/domains/wallet/proofs.ts',
    from: 'where c.id is null or e.id is null or e.from_id',
    to: 'where e.id is null or e.from_id',
    tests,
    grep: 'each charge was paid',
  },
  {
    name: 'refund_of_a_charge_may_go_to_another_tree',
    file: 'shared/domains/wallet/proofs.ts',
    from: `or e.id is null or e.to_id <> r.root_id
`,
    to: `or e.id is null
`,
    tests,
    grep: 'each refund of a charge',
  },
  {
    name: 'refund_of_a_charge_may_move_nothing',
    file: 'shared/domains/wallet/proofs.ts',
    from: `or e.id is null or e.to_id <> r.root_id
`,
    to: `or e.to_id <> r.root_id
`,
    tests,
    grep: 'each refund of a charge',
  },
  {
    name: 'spend_of_a_day_counts_the_agent_alone',
    file: 'shared/domains/wallet/proofs.ts',
    from: 'cross join unnest(a.lineage) as l(id)',
    to: 'cross join unnest(array[a.id]) as l(id)',
    tests,
    grep: 'finds nothing when all is right',
  },
  {
    name: 'days_before_are_not_compared',
    file: 'shared/domains/wallet/proofs.ts',
    from: `
                       union all
                       select agent_id, day, amount from past_spend) counted`,
    to: ') counted',
    tests,
    grep: 'too much on a day before',
  },
  {
    name: 'day_that_was_forgotten_is_right',
    file: 'shared/domains/wallet/proofs.ts',
    from: 'full join (select agent_id, day, amount from spend',
    to: 'right join (select agent_id, day, amount from spend',
    tests,
    grep: 'a day before that was forgotten',
  },
  {
    name: 'spend_of_today_counts_no_charges',
    file: 'shared/domains/wallet/proofs.ts',
    from: 'credit + cash - refunded_credit - refunded_cash from charge)',
    to: '0 from charge)',
    tests,
    grep: 'finds nothing when all is right',
  },
  {
    name: 'email_validation_may_cost_what_it_does_not_say',
    file: 'shared/domains/email/proofs.ts',
    from: 'and coalesce(j.charged * 1000000, 0) <> coalesce(c.credit + c.cash, 0)',
    to: 'and (j.id is null or c.id is null)',
    tests,
    grep: 'each email validation',
  },
  {
    name: 'proxies_may_be_sold_for_the_charge_of_another',
    file: 'shared/domains/proxies/proofs.ts',
    from: `where (c.service, c.units, c.agent_id)
                 is distinct from ('proxy', cardinality(s.proxy_ids), s.agent_id)`,
    to: `where (c.service, c.units)
                 is distinct from ('proxy', cardinality(s.proxy_ids))`,
    tests,
    grep: 'each sale of proxies',
  },
  {
    name: 'proxy_report_may_credit_what_was_not_given_back',
    file: 'shared/domains/proxies/proofs.ts',
    from: 'full join (select * from charge_refund',
    to: 'right join (select * from charge_refund',
    tests,
    grep: 'that was reported',
  },
  {
    name: 'refunded_order_may_keep_its_units',
    file: 'shared/domains/products/proofs.ts',
    from: 'then 0 else o.quantity end`',
    to: 'then count(s.id) else o.quantity end`',
    tests,
    grep: 'each order of single units',
  },
  {
    name: 'counted_product_sells_what_it_never_had',
    file: 'shared/domains/products/proofs.ts',
    from: 'p.listed - p.quantity <> coalesce(sold.units, 0)',
    to: 'p.listed - p.quantity < coalesce(sold.units, 0)',
    tests,
    grep: 'each counted product',
  },
  {
    name: 'welcome_credit_may_be_given_twice',
    file: 'shared/domains/agents/proofs.ts',
    from: 'having t.id is null or count(e.id) > 1',
    to: 'having t.id is null',
    tests,
    grep: 'each root agent',
  },
  {
    name: 'job_may_name_another_tree',
    file: 'shared/domains/agents/proofs.ts',
    from: "select 'job' as of, id::text, agent_id, root_id from job",
    to: "select 'job' as of, id::text, agent_id, root_id from job where false",
    tests,
    grep: 'names the tree of its agent',
  },
  {
    name: 'welcome_credit_may_be_given_on_a_day_without_a_count',
    file: 'shared/domains/agents/proofs.ts',
    from: 'full join welcome_credit using (day)',
    to: 'right join welcome_credit using (day)',
    tests,
    grep: 'the welcome credit of each day',
  },
];
