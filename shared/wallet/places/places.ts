import type { EntityManager } from 'typeorm';

import { Amount, Id, Nullable, OneOf, Output, Time, Type } from '../../kernel/schema.ts';
import { shownName } from '../../kernel/text.ts';
import { toUsd } from '../../ledger/money.ts';
import { column, nullable, oneOf, rows } from '../../platform/rows.ts';
import { HELD, HELD_ENDS } from './held.ts';
import { INCOMING, INCOMING_ENDS } from './incoming.ts';

/** How many are listed. */
const LISTED_MAX = 20;
/** How many are summed up. */
const SUMMED_MAX = 100_000;

const KINDS = ['order', 'task', 'labor_task', 'labor_claim', 'withdrawal', 'deposit'] as const;

/** Money that is on its way from one place to another. */
export const MoneyOnItsWay = Output('MoneyOnItsWay', {
  total: Amount('Of all of it, as far as amounts are known.'),
  count: Type.Integer({ description: `How many there are; ${SUMMED_MAX}: or more.` }),
  kinds: Type.Array(
    Output({
      kind: OneOf(KINDS, 'What for.'),
      count: Type.Integer({ description: 'How many.' }),
      total: Amount('Of these.'),
    }),
    { maxItems: KINDS.length, description: 'The same by what it is for.' },
  ),
  items: Type.Array(
    Output({
      kind: OneOf(KINDS, 'What for.'),
      id: Id('Of that.'),
      agent_id: Id('The agent of yours that pays, or that gets it.'),
      amount: Nullable(Amount('How much; null: not known before it is final.')),
      ends_at: Nullable(Time('Until when; null: at no certain time.')),
      happens: Type.String({ description: 'What happens then, if nobody does anything.' }),
      party: Nullable(
        Type.String({ description: 'Who else: a username, or an address; null: not known.' }),
      ),
    }),
    { maxItems: LISTED_MAX, description: 'What ends first.' },
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
 * What these agents have in escrows and in withdrawals, or what is on its way to them. Each part
 * reads an index of what is open.
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

/** What escrows and withdrawals of these agents hold. */
export const findHeld = (db: EntityManager, agents: readonly number[]) =>
  findMoney(db, HELD, HELD_ENDS, agents);

/** What is on its way to these agents. */
export const findIncoming = (db: EntityManager, agents: readonly number[]) =>
  findMoney(db, INCOMING, INCOMING_ENDS, agents);
