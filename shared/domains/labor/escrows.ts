import type { Tx } from '../../kernel/tx.ts';
import {
  creditFirst,
  escrow,
  insertTransfers,
  newTransferIds,
  treasury,
} from '../ledger/ledger.ts';
import type { Funds, MoneyTx, Transfer } from '../ledger/ledger.ts';
import type { Micros } from '../../kernel/money.ts';
import { column, execute, rows, type Row } from '../../platform/rows.ts';
import { payInParts, type LockedBalance } from '../wallet/spend.ts';
import type { LaborTask } from './labor_task.ts';

/**
 * Units whose money is in one escrow. The ledger computes what an escrow holds from all that left
 * it, so that paying from one for all units would take longer with each that is paid.
 */
const UNITS_OF_ESCROW = 100;

/** Fills the escrows of a new task from the balance of its poster, which is locked. */
export async function fillEscrows(
  tx: Tx,
  task: { id: number; units: number; reward: Micros; max_overlap: number },
  balance: LockedBalance,
): Promise<void> {
  const starts = Array.from(
    { length: Math.ceil(task.units / UNITS_OF_ESCROW) },
    (_, part) => part * UNITS_OF_ESCROW + 1,
  );
  const transfers = await newTransferIds(tx.db, starts.length);
  const ids = await rows(
    tx.db,
    { id: column.id },
    `select nextval(pg_get_serial_sequence('labor_escrow', 'id')) as id
       from generate_series(1, $1)`,
    [starts.length],
  );
  const parts = starts.map((first, part) => {
    const units = Math.min(UNITS_OF_ESCROW, task.units - first + 1);
    return {
      id: transfers[part]!,
      kind: 'labor.hold' as const,
      ref: ids[part]!.id,
      to: escrow(transfers[part]!, tx.caller.rootId),
      amount: task.reward * BigInt(units * task.max_overlap),
    };
  });
  const funds = await payInParts(tx, balance, parts);
  await execute(
    tx.db,
    `insert into labor_escrow (id, task_id, first_n, escrow_id, credit, cash)
     overriding system value
     select id, $1, first_n, escrow_id, credit, cash
       from unnest($2::bigint[], $3::int[], $4::bigint[], $5::bigint[], $6::bigint[])
            as e(id, first_n, escrow_id, credit, cash)`,
    [
      task.id,
      ids.map(({ id }) => id),
      starts,
      transfers,
      funds.map(({ credit }) => credit),
      funds.map(({ cash }) => cash),
    ],
  );
}

const ESCROW = {
  id: column.id,
  first_n: column.int,
  escrow_id: column.id,
  credit: column.micros,
  cash: column.micros,
  paid: column.micros,
};
type Escrow = Row<typeof ESCROW>;

/** Funds left in an escrow. Claims are paid in credit first, so credit never returns as cash. */
const leftIn = ({ credit, cash, paid }: Escrow): Funds => {
  const out = creditFirst(paid, { credit, cash });
  return { credit: credit - out.credit, cash: cash - out.cash };
};

interface Payable {
  readonly id: number;
  readonly n: number;
  readonly root_id: number;
}

/** Pays the reward of a task for each of these claims. Trees and claims are locked. */
export async function payClaims(
  tx: MoneyTx,
  task: Pick<LaborTask, 'id' | 'poster_root' | 'reward'>,
  claims: readonly Payable[],
): Promise<void> {
  const { db } = tx;
  const firstOf = ({ n }: Payable) => n - ((n - 1) % UNITS_OF_ESCROW);
  const escrows = await rows(
    db,
    ESCROW,
    `select id, first_n, escrow_id, credit, cash, paid from labor_escrow
      where task_id = $1 and first_n = any ($2) order by first_n for no key update`,
    [task.id, [...new Set(claims.map(firstOf))]],
  );
  const byFirst = new Map(escrows.map((one) => [one.first_n, one]));
  const transfers: Transfer[] = claims.map((claim) => {
    const from = byFirst.get(firstOf(claim))!;
    const funds = creditFirst(task.reward, leftIn(from));
    byFirst.set(from.first_n, { ...from, paid: from.paid + task.reward });
    return {
      kind: 'labor.release',
      ref: claim.id,
      from: escrow(from.escrow_id, task.poster_root),
      to: treasury(claim.root_id),
      ...funds,
    };
  });
  await insertTransfers(tx, transfers);
  const paid = [...byFirst.values()];
  await execute(
    db,
    `update labor_escrow set paid = p.paid from unnest($1::bigint[], $2::bigint[]) as p(id, paid)
      where labor_escrow.id = p.id`,
    [paid.map(({ id }) => id), paid.map((one) => one.paid)],
  );
  await execute(
    db,
    'update labor_task set accepted = accepted + $2::int, paid = paid + reward * $2 where id = $1',
    [task.id, claims.length],
  );
}

/** Returns what is left in the escrows of a task to its poster. */
export async function emptyEscrows(
  tx: MoneyTx,
  { id, poster_root }: Pick<LaborTask, 'id' | 'poster_root'>,
): Promise<void> {
  const escrows = await rows(
    tx.db,
    ESCROW,
    `select id, first_n, escrow_id, credit, cash, paid from labor_escrow where task_id = $1
      order by first_n for no key update`,
    [id],
  );
  await insertTransfers(
    tx,
    escrows.map((one) => ({
      kind: 'labor.refund',
      ref: one.id,
      from: escrow(one.escrow_id, poster_root),
      to: treasury(poster_root),
      ...leftIn(one),
    })),
  );
}
