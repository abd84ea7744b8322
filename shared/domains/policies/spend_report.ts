import { toUsd, type Micros } from '../../kernel/money.ts';
import { Amount, Id, Nullable, OneOf, Output, Type } from '../../kernel/schema.ts';
import { shownName } from '../../kernel/text.ts';
import { column, nullable, oneOf, rows, type Database } from '../../platform/rows.ts';
import { CATEGORIES as PRODUCTS } from '../products/products.ts';
import { MEMBERS } from './members.ts';

/** Categories as policies count them: of products, metered calls, budgets and withdrawals. */
const CATEGORIES = [...PRODUCTS, 'task', 'labor', 'withdrawal', 'token'] as const;
type Category = (typeof CATEGORIES)[number];

const COUNTERPARTIES_MAX = 20;

const Spent = {
  amount: Amount('Spent with fees and escrows, less refunds.'),
  count: Type.Integer({ description: 'Purchases, tasks and metered calls.' }),
};

export const SpendReport = Output('SpendReport', {
  total: Amount('Spent on all days.'),
  by_day: Type.Array(
    Output({ day: Type.String({ description: 'UTC, YYYY-MM-DD.' }), amount: Spent.amount }),
    { description: 'Days, newest first.' },
  ),
  by_category: Type.Array(Output({ category: OneOf(CATEGORIES, 'Kind of spend.'), ...Spent }), {
    description: 'Categories, largest first.',
  }),
  by_counterparty: Type.Array(
    Output({
      agent_id: Nullable(
        Id('The seller or worker; null: the marketplace, no worker yet, or labor workers.'),
      ),
      username: Nullable(Type.String({ description: 'Name of the counterparty.' })),
      ...Spent,
    }),
    { maxItems: COUNTERPARTIES_MAX, description: 'The 20 largest, largest first.' },
  ),
});

interface ReportScope {
  readonly agentId: number;
  /** The first UTC day, YYYY-MM-DD. */
  readonly since: string;
}

/** Sums the spends of an agent and all below it since a day. */
export async function spendReport(db: Database, asked: ReportScope) {
  const { agentId, since } = asked;
  const days = await rows(db, { day: column.text, amount: column.micros }, BY_DAY, [
    agentId,
    since,
  ]);
  const spends = await rows(db, SPENDS, BY_SELLER, [agentId, since, `${since}T00:00:00Z`]);
  return {
    total: toUsd(days.reduce((sum, { amount }) => sum + amount, 0n)),
    by_day: days.map(({ day, amount }) => ({ day, amount: toUsd(amount) })),
    by_category: sumsOf(spends, ({ category }) => category).map(([{ category }, sum]) => ({
      category,
      ...sum,
    })),
    by_counterparty: sumsOf(spends, ({ seller_id }) => seller_id)
      .slice(0, COUNTERPARTIES_MAX)
      .map(([{ seller_id, username }, sum]) => ({
        agent_id: seller_id,
        username: username && shownName(username),
        ...sum,
      })),
  };
}

const BY_DAY = `
  select day::text, amount from past_spend where agent_id = $1 and day >= $2::date
  union all
  select day::text, amount from spend where agent_id = $1 and day >= $2::date
   order by day desc`;

const SPENDS = {
  /** The seller; null: the marketplace. */
  seller_id: nullable(column.id),
  username: nullable(column.text),
  category: oneOf<Category>(),
  amount: column.micros,
  count: column.int,
};
type SpendSum = { seller_id: number | null; username: string | null; category: Category } & Sum;

/**
 * SQL: spends by seller. There is no index on the buyer and the day, so each agent's orders are
 * read from the first id of that day on.
 */
const BY_SELLER = `
  with member as materialized (${MEMBERS}),
  first as materialized (select first_id_since('orders', 'created_at', $3::timestamptz) as id),
  bought as (
    select product_id, count(*) as count, sum(subtotal + fee - refunded) as amount
      from first cross join member
     cross join lateral (select * from orders
                          where buyer_id = member.id and orders.id >= first.id
                            and spent_on >= $2::date) o
     group by product_id)
  select p.seller_id, seller.username, p.category, sum(b.amount)::bigint as amount,
         sum(b.count)::int as count
    from bought b join product p on p.id = b.product_id join agent seller on seller.id = p.seller_id
   group by p.seller_id, seller.username, p.category
  union all
  select worker.id, worker.username, 'task', sum(p.amount)::bigint, count(*)::int
    from member cross join lateral (
      select bid_id, case when closed_at is null then budget else paid end as amount
        from task where poster_id = member.id and spent_on >= $2::date) p
    left join bid on bid.id = p.bid_id left join agent worker on worker.id = bid.bidder_id
   where p.amount > 0 group by worker.id, worker.username
  union all
  select null, null, 'labor', sum(p.amount)::bigint, count(*)::int
    from member cross join lateral (
      select case when closed_at is null then budget else paid end as amount
        from labor_task where poster_id = member.id and spent_on >= $2::date) p
   where p.amount > 0 having count(*) > 0
  union all
  select null, null, 'withdrawal', sum(w.amount)::bigint, count(*)::int
    from member cross join lateral (
      select amount from withdrawal
       where root_id = $1 and agent_id = member.id and spent_on >= $2::date
         and status not in ('failed', 'cancelled')) w
  having count(*) > 0
  union all
  select null, null, case c.service when 'proxy' then 'proxy_service' when 'token' then 'token'
                         else 'api_service' end,
         sum(c.credit + c.cash - c.refunded_credit - c.refunded_cash)::bigint, count(*)::int
    from member cross join lateral (
      select * from charge where agent_id = member.id and spent_on >= $2::date
         and created_at >= $3::timestamptz - interval '1 hour') c
   group by c.service`;

interface Sum {
  readonly amount: Micros;
  readonly count: number;
}

/** Sums spends by a key, the largest first, each with one of its spends. */
function sumsOf(spends: readonly SpendSum[], keyOf: (spend: SpendSum) => unknown) {
  const sums = new Map<unknown, [SpendSum, Sum]>();
  for (const spend of spends) {
    const [one, { amount, count }] = sums.get(keyOf(spend)) ?? [spend, { amount: 0n, count: 0 }];
    const sum = { amount: amount + spend.amount, count: count + spend.count };
    sums.set(keyOf(spend), [one, sum]);
  }
  return [...sums.values()]
    .toSorted(([, a], [, b]) => Number(b.amount - a.amount))
    .map(([one, { amount, count }]) => [one, { amount: toUsd(amount), count }] as const);
}
