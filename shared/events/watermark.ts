import { column, row, type Database, type Row } from '../platform/rows.ts';

const COLUMNS = {
  /** Up to this id no event is missing, and none will come. */
  settled: column.id,
  /** The highest id that a transaction had drawn. */
  drawn: column.id,
};

/** Moves on the watermark below which events are read (move_event_watermark.sql). */
export const moveEventWatermark = (database: Database): Promise<Row<typeof COLUMNS>> =>
  row(database, COLUMNS, 'select settled, drawn from move_event_watermark()');
