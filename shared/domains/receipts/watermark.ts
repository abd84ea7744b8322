import { column, row, type Database, type Row } from '../../platform/rows.ts';

const WATERMARK = {
  deals_to: column.id,
  charges_to: column.id,
  charged_at: column.time,
  last_id: column.id,
  open_day: column.text,
  moved_to: column.id,
};
export type Watermark = Row<typeof WATERMARK>;

/**
 * Locks how far receipts have come, so that one transaction at a time makes receipts, days and
 * keys. `moved_to` is a transfer up to which none is missing: the mark of the daily sums.
 */
export const lockWatermark = (db: Database) =>
  row(
    db,
    WATERMARK,
    `select deals_to, charges_to, charged_at, last_id, open_day::text, m.id as moved_to
       from receipt_watermark cross join money_watermark m for update of receipt_watermark`,
  );
