import type { EntityManager } from 'typeorm';

import { column, oneOf, rows, type Row } from '../platform/rows.ts';
import type { Kind } from './ledger.ts';

/** One entry of a tree's statement. Its ids stay text, as the wire shows them. */
const ENTRY_COLUMNS = {
  id: column.text,
  created_at: column.time,
  kind: oneOf<Kind>(),
  ref: column.text,
  /** Signed, from the tree's side. */
  amount: column.micros,
};
export type StatementEntry = Row<typeof ENTRY_COLUMNS>;

/** The transfers of a tree, newest first, below a transfer's id. */
export async function statementOf(
  db: EntityManager,
  rootId: number,
  { limit, below = '9223372036854775807' }: { limit: number; below?: string | undefined },
): Promise<StatementEntry[]> {
  return rows(
    db,
    ENTRY_COLUMNS,
    // Each half reads an index of its own from the newest, whatever the length of the history.
    `select * from (
       (select id, created_at, kind, ref, -(credit + cash) as amount from ledger.transfer
         where from_account = 'treasury' and from_id = $1 and id < $2 order by id desc limit $3)
       union all
       (select id, created_at, kind, ref, credit + cash from ledger.transfer
         where to_account = 'treasury' and to_id = $1 and id < $2 order by id desc limit $3)
      ) both_ways
      order by id desc limit $3`,
    [rootId, below, limit],
  );
}
