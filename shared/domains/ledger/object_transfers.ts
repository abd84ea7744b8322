import { column, nullable, oneOf, rows, type Database } from '../../platform/rows.ts';
import type { Kind } from './ledger.ts';
import type { Micros } from '../../kernel/money.ts';

/** A transfer, with its accounts as text. */
interface ShownTransfer {
  readonly kind: Kind;
  readonly ref: number;
  readonly from: string;
  readonly to: string;
  /** The root of the tree, if the account is a treasury. */
  readonly from_username: string | null;
  readonly to_username: string | null;
  readonly credit: Micros;
  readonly cash: Micros;
  readonly created_at: Date;
}

const TRANSFER = {
  kind: oneOf<Kind>(),
  ref: column.id,
  from: column.text,
  to: column.text,
  from_username: nullable(column.text),
  to_username: nullable(column.text),
  credit: column.micros,
  cash: column.micros,
  created_at: column.time,
};

/** Finds the transfers of these kinds for an object, oldest first. */
export const transfersAbout = (
  db: Database,
  ref: number,
  kinds: readonly Kind[],
): Promise<ShownTransfer[]> =>
  rows(
    db,
    TRANSFER,
    `select kind, ref, from_account || ' ' || from_id as from, to_account || ' ' || to_id as to,
            case from_account when 'treasury'
              then (select username from agent where id = from_id) end as from_username,
            case to_account when 'treasury'
              then (select username from agent where id = to_id) end as to_username,
            credit, cash, created_at
       from ledger.transfer where ref = $1 and kind = any ($2) order by id`,
    [ref, kinds],
  );
