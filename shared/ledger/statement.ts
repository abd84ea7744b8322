import type { EntityManager } from 'typeorm';

import { column, nullable, oneOf, row, rows, type Row } from '../platform/rows.ts';
import type { Kind } from './ledger.ts';
import type { Micros } from './money.ts';

/** One entry of a tree's statement. Its ids stay text, as the wire shows them. */
const ENTRY_COLUMNS = {
  id: column.text,
  created_at: column.time,
  kind: oneOf<Kind>(),
  ref: column.text,
  /** Signed, from the tree's side. */
  amount: column.micros,
  /** Of the tree, which caused it; null: none did, or the caller may not know it. */
  agent_id: nullable(column.id),
  /** The agent on the other side; null: none, or as before. */
  counterparty_id: nullable(column.id),
};
export type StatementEntry = Row<typeof ENTRY_COLUMNS>;

const END = '9223372036854775807';

interface Asked {
  readonly limit: number;
  readonly below?: string | undefined;
  /** Those that the caller may know of; undefined: all of its tree. */
  readonly agents?: readonly number[] | undefined;
}

/** The transfers of a tree, newest first, below a transfer's id. */
export async function statementOf(
  db: EntityManager,
  rootId: number,
  { limit, below = END, agents }: Asked,
): Promise<StatementEntry[]> {
  return rows(
    db,
    ENTRY_COLUMNS,
    // Each half reads an index of its own from the newest, whatever the length of the history.
    `select t.id, t.created_at, t.kind, t.ref, t.amount, m.agent_id,
            case when m.agent_id is not null then c.agent_id end as counterparty_id
       from (
       (select id, created_at, kind, ref, -(credit + cash) as amount from ledger.transfer
         where from_account = 'treasury' and from_id = $1 and id < $2 order by id desc limit $3)
       union all
       (select id, created_at, kind, ref, credit + cash from ledger.transfer
         where to_account = 'treasury' and to_id = $1 and id < $2 order by id desc limit $3)
       order by id desc limit $3
      ) t
       left join lateral (select agent_id from movement_of(t.kind, t.ref)
                           where $4::bigint[] is null or agent_id = any ($4)) m on true
       left join lateral counterparty_of(t.kind, t.ref) c on true
      order by t.id desc`,
    [rootId, below, limit, agents ?? null],
  );
}

/**
 * Ids of transfers between which all are that were made in a period, and a few beside it. `below`
 * is undefined where there is none above.
 */
export async function idsBetween(
  db: EntityManager,
  { from, to }: { from?: Date | undefined; to?: Date | undefined },
): Promise<{ first: bigint; below: string | undefined }> {
  const { first, below } = await row(
    db,
    { first: nullable(column.text), below: nullable(column.text) },
    // Ids rise with time but for transactions that overlap; these take less than a minute.
    `select case when $1::timestamptz is not null
                 then first_id_since('ledger.transfer', 'created_at', $1) end::text as first,
            case when $2::timestamptz is not null
                 then first_id_since('ledger.transfer', 'created_at',
                                     $2 + interval '2 minutes') end::text as below`,
    [from ?? null, to ?? null],
  );
  const none = from ? BigInt(END) : 0n;
  return { first: first === null ? none : BigInt(first), below: below ?? undefined };
}

/**
 * What a tree held before its transfers from this id on: the balance that was kept last before
 * (`past_balance`), and what has moved since.
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
