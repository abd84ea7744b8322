import { column, nullable, oneOf, rows, type Database, type Row } from '../../../platform/rows.ts';
import {
  COUNTED_REFUSALS,
  DAILY_SPEND,
  DEBIT_BURST,
  REFUSAL_BURST,
  SAME_PURCHASE,
  VAULT_HARVEST,
  type Rule,
} from './rules.ts';

const FINDING = {
  id: column.id,
  root_id: column.id,
  rule: oneOf<Rule>(),
  seen: column.micros,
  allowed: column.micros,
  product_id: nullable(column.id),
  /** As text, because PostgreSQL has microseconds and a Date has not. */
  since: column.text,
  until: column.text,
};
/** A finding of one rule about one agent. Its id is the agent's. */
export type Finding = Row<typeof FINDING>;

/**
 * Finds new anomalies: at most one for each agent and rule. Reads only the rows of the last
 * minutes, by their ids. `isDue` is SQL about the agent `f.id`.
 */
export function look(db: Database, isDue: string): Promise<Finding[]> {
  return rows(
    db,
    FINDING,
    `select f.id, agent.root_id, f.rule, f.seen, f.allowed, f.product_id,
            f.since::text, f.until::text
       from (${[DEBITS, SAME_PRODUCT, REFUSALS, DAYS, VAULTS].map((sql) => `(${sql})`).join(`
             union all `)}) f
       join agent on agent.id = f.id
      where ${isDue}
      order by agent.root_id, f.id, f.rule`,
  );
}

/** SQL: rows of a table of the last seconds, found by their ids. */
const recent = (table: string, time: string, seconds: number) =>
  `${table}.id >= (select first_id_since('${table}', '${time}', ${ago(seconds)}))
   and ${table}.${time} > ${ago(seconds)}`;
const ago = (seconds: number) => `now() - interval '${seconds} s'`;

/**
 * SQL: only rows after the last finding of this rule and after the agent was resumed, so that
 * nothing an owner has accepted suspends the agent again.
 */
const unseen = (rule: Rule, seconds: number) => `
  left join (
    select agent_id, max(at) as at
      from (select agent_id, until as at from anomaly
             where rule = '${rule}' and until > ${ago(seconds)}
            union all
            select agent_id, created_at from suspension
             where status = 'active' and ${recent('suspension', 'created_at', seconds)}) before
     group by agent_id) before on before.agent_id = r.agent_id
   where r.at > coalesce(before.at, '-infinity')`;

interface BurstQuery {
  readonly seconds: number;
  readonly most: number;
  /** SQL: rows of agent_id, at, product_id. */
  readonly of: string;
  readonly count?: string;
}

const burst = (rule: Rule, { seconds, most, of, count = 'count(*)' }: BurstQuery) => `
  select distinct on (id) * from (
    select r.agent_id as id, '${rule}' as rule, ${count} as seen, ${most}::bigint as allowed,
           r.product_id, min(r.at) as since, max(r.at) as until
      from (${of}) r ${unseen(rule, seconds)}
     group by r.agent_id, r.product_id having ${count} > ${most}) bursts
   order by id, seen desc`;

const debitsOf = (seconds: number) => `
  select buyer_id as agent_id, created_at as at, null::bigint as product_id from orders
   where ${recent('orders', 'created_at', seconds)}
  union all
  select poster_id, created_at, null from task where ${recent('task', 'created_at', seconds)}
  union all
  select poster_id, created_at, null from labor_task
   where ${recent('labor_task', 'created_at', seconds)}
  union all
  select agent_id, created_at, null from withdrawal
   where ${recent('withdrawal', 'created_at', seconds)}
  union all
  select agent_id, created_at, null from charge where ${recent('charge', 'created_at', seconds)}`;

const DEBITS = burst('debit_burst', { ...DEBIT_BURST, of: debitsOf(DEBIT_BURST.seconds) });

const SAME_PRODUCT = burst('same_purchase', {
  ...SAME_PURCHASE,
  of: `select buyer_id as agent_id, created_at as at, product_id from orders
        where ${recent('orders', 'created_at', SAME_PURCHASE.seconds)}`,
});

const REFUSALS = burst('refusal_burst', {
  ...REFUSAL_BURST,
  of: `select agent_id, noted_at as at, null::bigint as product_id, count from refusal
        where ${recent('refusal', 'noted_at', REFUSAL_BURST.seconds)}
          and code in (${COUNTED_REFUSALS.map((code) => `'${code}'`).join(', ')})`,
  count: 'sum(count)::bigint',
});

const VAULTS = burst('vault_harvest', {
  ...VAULT_HARVEST,
  of: `select opening.agent_id, opened_at as at, null::bigint as product_id, object_id
         from opening join orders on orders.id = object_id
        where ${recent('opening', 'opened_at', VAULT_HARVEST.seconds)} and object_kind = 'order'
          and orders.created_at < opened_at - interval '${VAULT_HARVEST.ageSeconds} s'`,
  count: 'count(distinct object_id)',
});

/** SQL: daily spends of agents that have just spent, and of agents above them. */
const DAYS = `
  select s.agent_id, 'daily_spend', s.amount,
         greatest(${DAILY_SPEND.floor}, before.amount * ${DAILY_SPEND.times} / ${DAILY_SPEND.days}),
         null, day.starts, day.starts + interval '1 day'
    from spend s
   cross join lateral (select s.day::timestamp at time zone 'UTC' as starts) day
   cross join lateral (
     select coalesce(sum(amount), 0)::bigint as amount from past_spend
      where agent_id = s.agent_id and past_spend.day >= s.day - ${DAILY_SPEND.days}) before
   where s.agent_id in (
           select unnest(lineage) from (${debitsOf(DEBIT_BURST.seconds)}) r
             join agent on agent.id = r.agent_id)
     and s.amount > ${DAILY_SPEND.floor}
     and s.amount * ${DAILY_SPEND.days} > before.amount * ${DAILY_SPEND.times}
     and day.starts + interval '1 day' > now()
     and not exists (select from anomaly where agent_id = s.agent_id and rule = 'daily_spend'
                        and since = day.starts)`;
