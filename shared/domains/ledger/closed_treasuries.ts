import { column, rows, type Database } from '../../platform/rows.ts';
import type { Micros } from '../../kernel/money.ts';

/** The closed accounts that hold this much cash or more, the most first. */
export function findClosedTreasuries(
  db: Database,
  { cashMin, max }: { readonly cashMin: Micros; readonly max: number },
) {
  return rows(
    db,
    CLOSED,
    `select agent.id as agent_id, held.cash, closed_at
       from agent join ledger.treasury held on held.id = agent.id
      where closed_at is not null and held.cash >= $1
      order by held.cash desc, agent.id limit $2`,
    [cashMin, max],
  );
}

const CLOSED = { agent_id: column.id, cash: column.micros, closed_at: column.time };
