import pg from 'pg';

import { newJobId } from '../../shared/jobs/jobs.ts';
import { anyOf } from '../measure/callers.ts';
import type { Pids } from '../measure/cpu_meter.ts';
import { measureLoops } from '../measure/loops.ts';
import type { Slice } from '../measure/statistics.ts';
import type { Population } from '../setup/populate.ts';

const BATCH_SIZE = 64;

/** Buys for `ms` on this many connections. */
type RawSql = (connections: number, ms: number) => Promise<Slice>;

/** The SQL function of purchases, 64 per call, without job rows and without an API process. */
export function openRawSql(url: string, { buyers, products }: Population, pids: Pids): RawSql {
  const pool = new pg.Pool({ connectionString: url, max: 64 });
  // The servers end before this process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  async function buy(client: pg.PoolClient): Promise<number> {
    const now = new Date();
    const batch = Array.from({ length: BATCH_SIZE });
    const { rowCount } = await client.query('select * from purchase_batch($1, $2, $3, $4, $5)', [
      batch.map(() => newJobId(now)),
      batch.map(() => anyOf(buyers).id),
      batch.map(() => anyOf(products)),
      batch.map(() => 1),
      batch.map(() => null),
    ]);
    return rowCount ?? 0;
  }

  return async (connections, ms) => {
    const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
    const slice = await measureLoops({ loops: connections, ms, pids }, (n) => buy(clients[n]!));
    for (const client of clients) client.release();
    return slice;
  };
}
