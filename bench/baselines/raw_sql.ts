import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';

import type { Pids } from '../measure/cpu_meter.ts';
import { measureLoops } from '../measure/loops.ts';
import type { Slice } from '../measure/statistics.ts';
import type { Deployment } from '../setup/deployments.ts';

const BATCH_SIZE = 64;
/** As many as the platform that is measured has. */
const ACCOUNTS = 10_100;
const PRODUCTS = 1_000;

/** Buys for `ms` on this many connections. */
type RawSql = (connections: number, ms: number) => Promise<Slice>;

/** Makes the tables of the yardstick in a database of its own servers. */
export async function openYardstick({ admin }: Deployment, units: number): Promise<void> {
  const owner = await admin();
  await owner.query(await readFile(join(import.meta.dirname, 'yardstick.sql'), 'utf8'));
  await owner.query('select yardstick.fill($1, $2, $3)', [ACCOUNTS, PRODUCTS, units]);
  await owner.query('grant usage on schema yardstick to market_app');
  await owner.query('grant usage on all sequences in schema yardstick to market_app');
  await owner.query('grant select, insert, update on all tables in schema yardstick to market_app');
  await owner.query('checkpoint'); // otherwise it would run during a measurement
  await owner.destroy();
}

/** The yardstick: 64 purchases a statement, without job rows and without an API process. */
export function openRawSql(url: string, pids: Pids): RawSql {
  const pool = new pg.Pool({ connectionString: url, max: 64 });
  // The servers end before this process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  const upTo = (max: number) => 1 + Math.floor(Math.random() * max);
  const sellers = ACCOUNTS / 10;
  async function buy(client: pg.PoolClient): Promise<number> {
    const batch = Array.from({ length: BATCH_SIZE });
    const { rows } = await client.query('select yardstick.buy($1, $2, $3) as bought', [
      batch.map(() => randomUUID()),
      batch.map(() => sellers + upTo(ACCOUNTS - sellers)),
      batch.map(() => upTo(PRODUCTS)),
    ]);
    return Number(rows[0].bought);
  }

  return async (connections, ms) => {
    const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
    const slice = await measureLoops({ loops: connections, ms, pids }, (n) => buy(clients[n]!));
    for (const client of clients) client.release();
    return slice;
  };
}
