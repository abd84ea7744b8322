import type { EntityManager } from 'typeorm';

import { idsBetween, type Period } from '../../kernel/paging.ts';
import { column, nullable, oneOf, row, rows, type Row } from '../../platform/rows.ts';
import type { Kind } from './ledger.ts';
import type { Micros } from '../../kernel/money.ts';

/** One entry of a tree's statement. Its ids stay text, as the wire shows them. */
const ENTRY_COLUMNS = {
  id: column.text,
  created_at: column.time,
  kind: oneOf<Kind>(),
  ref: column.text,
  /** Signed, from the tree's side. */
  amount: column.micros,
  /** The agent of the tree that caused it; null: none did, or the caller may not see it. */
  agent_id: nullable(column.id),
  /** The agent on the other side; null: there is none, or the caller may not see it. */
  counterparty_id: nullable(column.id),
};
export type StatementEntry = Row<typeof ENTRY_COLUMNS>;

const END = '9223372036854775807';

interface StatementQuery {
  readonly limit: number;
  readonly below?: string | undefined;
  /** A kind, as order.hold, or order for all its kinds. Agents are given for these kinds only. */
  readonly kind?: string | undefined;
  /** The agents that the caller may see; undefined: all of its tree. */
  readonly agents?: readonly number[] | undefined;
}

/** Finds the transfers of a tree below a transfer's id, newest first. */
export async function statementOf(
  db: EntityManager,
  rootId: number,
  { limit, below = END, kind, agents }: StatementQuery,
): Promise<StatementEntry[]> {
  return rows(
    db,
    ENTRY_COLUMNS,
    // Each half reads an index of its own from the newest, whatever the length of the history.
    // Without a kind the functions look nothing up.
    `select t.id, t.created_at, t.kind, t.ref, t.amount, m.agent_id,
            case when m.agent_id is not null then c.agent_id end as counterparty_id
       from (select *, case when $5::text is null or kind = $5 or starts_with(kind, $5 || '.')
                            then kind end as asked from (
       (select id, created_at, kind, ref, -(credit + cash) as amount from ledger.transfer
         where from_account = 'treasury' and from_id = $1 and id < $2 order by id desc limit $3)
       union all
       (select id, created_at, kind, ref, credit + cash from ledger.transfer
         where to_account = 'treasury' and to_id = $1 and id < $2 order by id desc limit $3)
       order by id desc limit $3
      ) moved) t
       left join lateral (select agent_id from movement_of(t.asked, t.ref)
                           where $4::bigint[] is null or agent_id = any ($4)) m on true
       left join lateral counterparty_of(t.asked, t.ref) c on true
      order by t.id desc`,
    [rootId, below, limit, agents ?? null, kind ?? null],
  );
}

/** Finds the range of ids of the transfers of a period (`idsBetween`). */
export const transfersBetween = (db: EntityManager, period: Period) =>
  idsBetween(db, { table: 'ledger.transfer', time: 'created_at' }, period);

/**
 * Computes the balance of a tree before the transfer of this id: the last stored balance
 * (`past_balance`) plus the transfers since.
 */
export async function balanceBefore(
  db: EntityManager,
  rootId: number,
  id: string,
): Promise<Micros> {
  const { balance } = await row(
    db,
    { balance: column.micros },
    `select (kept.balance + moved.amount)::bigint as balance
       from ((select transfer_id as id, balance from past_balance
               where root_id = $1 and transfer_id < $2 order by transfer_id desc limit 1)
             union all
             select 0, 0
             order by id desc limit 1) kept
      cross join lateral (
        select coalesce(sum(amount), 0) as amount from (
          select -(credit + cash) as amount from ledger.transfer
           where from_account = 'treasury' and from_id = $1 and id > kept.id and id < $2
          union all
          select credit + cash from ledger.transfer
           where to_account = 'treasury' and to_id = $1 and id > kept.id and id < $2) m) moved`,
    [rootId, id],
  );
  return balance;
}
