import { column, row, rows, type Database } from '../../platform/rows.ts';
import type { Micros } from '../../kernel/money.ts';

/** Maximum transfers of one look, which takes 70 ms at most. The next look reads the rest. */
const TRANSFERS_MAX = 100_000;

/** Transfers of one kind since the look before. */
interface TransferSum {
  readonly kind: string;
  readonly count: number;
  readonly amount: Micros;
}

/**
 * Sums the transfers made since the look before, each once, so that the cost of a look depends on
 * the new ones only, not on the length of the ledger. The first look finds nothing.
 *
 * A transaction draws the id of a transfer before it commits. So a look reads only up to the ids
 * seen at an earlier look, once every transaction of that time has ended.
 */
export function openMovedMoney(): (db: Database) => Promise<TransferSum[]> {
  let done: number | undefined;
  /** The highest id of an earlier look, and a transaction number above all that ran then. */
  let noted: { id: number; tx: number } | undefined;

  return async (db) => {
    const { newest, oldest_tx, next_tx } = await row(db, NOW, SELECT_NOW);
    const before = noted;
    if (before && oldest_tx < before.tx) return [];
    noted = { id: newest, tx: next_tx };
    if (!before) return [];
    const from = done ?? before.id;
    const until = Math.min(before.id, from + TRANSFERS_MAX);
    const moved = until > from ? await rows(db, MOVED, SELECT_MOVED, [from, until]) : [];
    done = until;
    return moved;
  };
}

const NOW = { newest: column.id, oldest_tx: column.id, next_tx: column.id };
const SELECT_NOW = `
  select coalesce((select id from ledger.transfer order by id desc limit 1), 0) as newest,
         pg_snapshot_xmin(pg_current_snapshot())::text as oldest_tx,
         pg_snapshot_xmax(pg_current_snapshot())::text as next_tx`;

const MOVED = { kind: column.text, count: column.int, amount: column.micros };
const SELECT_MOVED = `
  select kind, count(*) as count, sum(credit + cash)::text as amount
    from ledger.transfer where id > $1 and id <= $2 group by kind`;
