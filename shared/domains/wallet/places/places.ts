import type { EntityManager } from 'typeorm';

import { Amount, Id, Nullable, OneOf, Output, Time, Type } from '../../../kernel/schema.ts';
import { shownName } from '../../../kernel/text.ts';
import { toUsd } from '../../../kernel/money.ts';
import { column, nullable, oneOf, rows } from '../../../platform/rows.ts';
import { HELD, HELD_OUTCOMES } from './held.ts';
import { INCOMING, INCOMING_ENDS } from './incoming.ts';

/** Maximum items listed. */
const LISTED_MAX = 20;
/** Maximum items summed up. */
const SUMMED_MAX = 100_000;

const KINDS = ['order', 'task', 'labor_task', 'labor_claim', 'withdrawal', 'deposit'] as const;

/** Money that is on its way from one place to another. */
export const MoneyOnItsWay = Output('MoneyOnItsWay', {
  total: Amount('Sum of the known amounts.'),
  count: Type.Integer({ description: `Number of items; ${SUMMED_MAX}: or more.` }),
  kinds: Type.Array(
    Output({
      kind: OneOf(KINDS, 'Kind of item.'),
      count: Type.Integer({ description: 'Items of this kind.' }),
      total: Amount('Sum of this kind.'),
    }),
    { maxItems: KINDS.length, description: 'Sums by kind.' },
  ),
  items: Type.Array(
    Output({
      kind: OneOf(KINDS, 'Kind of item.'),
      id: Id('Id of the item.'),
      agent_id: Id('The agent of yours that pays or is paid.'),
      amount: Nullable(Amount('Amount; null: not known before it is final.')),
      ends_at: Nullable(Time('The deadline; null: at no certain time.')),
      happens: Type.String({ description: 'Outcome if nobody acts.' }),
      party: Nullable(
        Type.String({ description: 'The other party: a username or address; null: not known.' }),
      ),
    }),
    { maxItems: LISTED_MAX, description: 'Items, the first to end first.' },
  ),
});

const FOUND = {
  kind: oneOf<(typeof KINDS)[number]>(),
  count: column.int,
  total: column.micros,
  id: column.id,
  agent_id: column.id,
  amount: nullable(column.micros),
  ends_at: nullable(column.time),
  ends: column.text,
  party: nullable(column.text),
};

/**
 * Finds money of these agents in escrows and withdrawals, or incoming. Each part reads an index of
 * open items.
 */
async function findMoney(
  db: EntityManager,
  what: string,
  ends: Readonly<Record<string, string>>,
  agents: readonly number[],
) {
  const found = await rows(
    db,
    FOUND,
    `with found as materialized (
       select * from (${what}) m where agent_id = any ($1::bigint[]) limit ${SUMMED_MAX}),
     sums as (
       select kind, count(*)::int as count, coalesce(sum(amount), 0)::bigint as total
         from found group by kind)
     select m.kind, s.count, s.total, m.id, m.agent_id, m.amount, m.ends_at, m.ends,
            coalesce(a.username, m.paid_to) as party
       from sums s
      cross join lateral (select * from found where kind = s.kind
                           order by ends_at nulls last, amount desc nulls last, id
                           limit ${LISTED_MAX}) m
       left join agent a on a.id = m.paid_id
      order by m.ends_at nulls last, m.amount desc nulls last, m.kind, m.id`,
    [agents],
  );
  const kinds = KINDS.flatMap((kind) => found.find((one) => one.kind === kind) ?? []);
  return {
    total: toUsd(kinds.reduce((sum, { total }) => sum + total, 0n)),
    count: kinds.reduce((sum, { count }) => sum + count, 0),
    kinds: kinds.map(({ kind, count, total }) => ({ kind, count, total: toUsd(total) })),
    items: found.slice(0, LISTED_MAX).map((one) => ({
      kind: one.kind,
      id: one.id,
      agent_id: one.agent_id,
      amount: one.amount === null ? null : toUsd(one.amount),
      ends_at: one.ends_at?.toISOString() ?? null,
      happens: ends[one.ends]!,
      party: one.party === null ? null : shownName(one.party),
    })),
  };
}

/** Finds money of these agents in escrows and withdrawals. */
export const findHeld = (db: EntityManager, agents: readonly number[]) =>
  findMoney(db, HELD, HELD_OUTCOMES, agents);

/** Finds money that is incoming for these agents. */
export const findIncoming = (db: EntityManager, agents: readonly number[]) =>
  findMoney(db, INCOMING, INCOMING_ENDS, agents);
