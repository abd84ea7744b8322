import { column, rows, type Database } from '../../platform/rows.ts';
import { field, view } from '../../kernel/view.ts';
import type { Kind } from './ledger.ts';

/** A transfer, with its accounts as text. */
export const ShownTransfer = view({
  kind: field.text('Kind of transfer.'),
  from: field.text('The paying account, with its id.'),
  to: field.text('The paid account, with its id.'),
  from_username: field.orNull(field.name('Owner of a paying treasury.')),
  to_username: field.orNull(field.name('Owner of a paid treasury.')),
  credit: field.amount('Credit in it.'),
  cash: field.amount('Cash in it.'),
  created_at: field.time('Time of the transfer.'),
});

/** Finds the transfers of these kinds for an object, oldest first. */
export const transfersAbout = (db: Database, ref: number, kinds: readonly Kind[]) =>
  rows(
    db,
    { ...ShownTransfer.columns, ref: column.id },
    `select kind, ref, from_account || ' ' || from_id as from, to_account || ' ' || to_id as to,
            case from_account when 'treasury'
              then (select username from agent where id = from_id) end as from_username,
            case to_account when 'treasury'
              then (select username from agent where id = to_id) end as to_username,
            credit, cash, created_at
       from ledger.transfer where ref = $1 and kind = any ($2) order by id`,
    [ref, kinds],
  );
