import { databaseOf } from '../../shared/platform/database.ts';
import type { Context } from '../../shared/composition/context.ts';
import { admin } from '../databases.ts';
import type { TestPlatform } from '../harness.ts';

/** A context whose transactions read a clock that a test sets. */
export interface ShiftedClock {
  readonly context: Context;
  /** Passes midnight after so many readings from now on: the clock is then a day ahead. */
  passMidnight(readings: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Gives the sessions of a pool of its own another `clock_timestamp`, by a schema that comes before
 * pg_catalog in their search path. So midnight can pass between any two readings of a transaction,
 * also of one statement.
 */
export async function shiftClock(platform: TestPlatform): Promise<ShiftedClock> {
  await superuser(
    platform,
    `create schema shifted;
     grant usage on schema shifted to public;
     create sequence shifted.readings;
     create table shifted.midnight (reading bigint not null);
     grant select on shifted.readings to public;
     grant insert on shifted.midnight to public;
     create function shifted.clock_timestamp() returns timestamptz
       language plpgsql volatile security definer as $$
       declare v_reading bigint := nextval('shifted.readings');
       begin
         return pg_catalog.clock_timestamp() + interval '1 day'
                * (select count(*) from shifted.midnight where reading < v_reading);
       end $$`,
  );
  const database = databaseOf(platform.config.databaseUrl, 10);
  const extra = { ...database.options.extra, options: '-c search_path=shifted,pg_catalog,public' };
  await database.setOptions({ extra }).initialize();
  return {
    context: { ...platform.context, database },
    async passMidnight(readings) {
      const sql = 'insert into shifted.midnight select last_value + $1 from shifted.readings';
      await database.query(sql, [readings]);
    },
    close: () => database.destroy(),
  };
}

export function superuser(platform: TestPlatform, sql: string): Promise<void> {
  const url = new URL(platform.postgres);
  url.pathname = `/${platform.name}`;
  return admin(url.href, sql);
}
