import { column, row, type Database, type Row } from '../../platform/rows.ts';

const COLUMNS = {
  /** Highest id up to which all events are committed and no more will come. */
  settled: column.id,
  /** The highest id that a transaction had drawn. */
  drawn: column.id,
};

/** Advances the watermark below which events are read (move_event_watermark.sql). */
export const moveEventWatermark = (database: Database): Promise<Row<typeof COLUMNS>> =>
  row(database, COLUMNS, 'select settled, drawn from move_event_watermark()');

/** Age in seconds of the oldest event above the watermark; 0: there is none. */
export async function secondsBehindEvents(database: Database): Promise<number> {
  const { seconds } = await row(
    database,
    { seconds: column.float },
    `select coalesce((
       select extract(epoch from greatest(now() - occurred_at, interval '0')) from event
        where id > (select id from event_watermark) order by id limit 1), 0)::float8 as seconds`,
  );
  return seconds;
}
