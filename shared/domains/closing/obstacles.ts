import { findHoldings } from '../ledger/holdings.ts';
import { toUsd, fromUsd } from '../../kernel/money.ts';
import type { Config } from '../../composition/config.ts';
import { column, oneOf, rows, type Database } from '../../platform/rows.ts';

const KINDS = [
  'balance',
  'debt',
  'bought',
  'sold',
  'dispute',
  'task',
  'labor',
  'token',
  'withdrawal',
  'deposit',
  'suspension',
] as const;

/** One kind of thing that has to end before an account can be closed. */
export interface Obstacle {
  readonly kind: (typeof KINDS)[number];
  readonly count: number;
  /** Dollars; 0: it has no amount. */
  readonly amount: number;
}

/**
 * All that stands in the way of closing the account of a root. Cash below the least amount of a
 * withdrawal cannot leave, and credit never can, so neither does.
 */
export async function obstaclesOf(
  db: Database,
  { withdrawals }: Config,
  rootId: number,
): Promise<readonly Obstacle[]> {
  const found = await rows(
    db,
    { kind: oneOf<Obstacle['kind']>(), count: column.int, amount: column.micros },
    `with mine as materialized (select array_agg(id) as ids from agent where root_id = $1)
     select kind, count(*)::int as count, coalesce(sum(amount), 0)::bigint as amount
       from (${OPEN}) open group by kind`,
    [rootId],
  );
  const { funds, owed } = (await findHoldings(db, [rootId])).get(rootId)!;
  const money = [
    {
      kind: 'balance' as const,
      amount: funds.cash,
      isOpen: funds.cash >= fromUsd(withdrawals.min),
    },
    { kind: 'debt' as const, amount: owed, isOpen: owed > 0n },
  ];
  const all = [
    ...money.flatMap(({ isOpen, ...one }) => (isOpen ? { ...one, count: 1 } : [])),
    ...found,
  ].map(({ amount, ...rest }) => ({ ...rest, amount: toUsd(amount) }));
  return KINDS.flatMap((kind) => all.find((one) => one.kind === kind) ?? []);
}

/** SQL: `kind` and `amount` of each obstacle of the agents in `mine`, the tree of $1. */
const OPEN = `
  select 'bought' as kind, o.credit + o.cash as amount from mine, orders o
   where o.buyer_id = any (mine.ids) and o.status = 'escrow'
  union all
  select 'sold', o.subtotal from mine, orders o
   where o.seller_id = any (mine.ids) and o.status = 'escrow'
  union all
  select 'dispute', o.credit + o.cash from mine, orders o
   where o.status = 'disputed' and (o.buyer_id = any (mine.ids) or o.seller_id = any (mine.ids))
  union all
  select 'task', t.budget from mine, task t
   where t.closed_at is null
     and (t.poster_id = any (mine.ids) or t.worker_id = any (mine.ids))
  union all
  select 'labor', e.amount from mine, labor_task t
   cross join lateral (select sum(credit + cash - paid)::bigint as amount from labor_escrow
                        where task_id = t.id) e
   where t.poster_id = any (mine.ids) and t.closed_at is null
  union all
  select 'labor', t.reward from mine, labor_claim c join labor_task t on t.id = c.task_id
   where c.agent_id = any (mine.ids) and c.closed_at is null
  union all
  -- Its fee comes back if the network does not take it.
  select 'token', c.credit + c.cash from mine, token t left join charge c on c.id = t.charge_id
   where t.agent_id = any (mine.ids) and t.closed_at is null
  union all
  select 'withdrawal', w.amount from withdrawal w where w.root_id = $1 and w.closed_at is null
  union all
  select 'deposit', d.usd from mine, deposit d
   where d.agent_id = any (mine.ids) and d.status in ('detected', 'confirming')
  union all
  select 'deposit', p.amount from card_payment p
   where p.root_id = $1 and p.deposit_id is null and p.session_id is not null
     and p.created_at > now() - interval '1 day' -- the life of a Checkout page
  union all
  select 'deposit', p.amount from recharge r join card_payment p on p.id = r.id
   where r.root_id = $1 and r.status = 'charging'
  union all
  select 'suspension', 0 from agent a
   cross join lateral (select operator from suspension where agent_id = a.id
                        order by id desc limit 1) last
   where a.root_id = $1 and a.status = 'suspended' and last.operator is not null`;
