import pg from 'pg';

import { newJobId } from '../../shared/jobs/jobs.ts';
import { quantile } from '../measure/statistics.ts';
import type { Population } from '../setup/populate.ts';

const BATCH_SIZE = 64;

export const anyOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

export interface RawSql {
  /** Buys for `ms`. Resolves with the purchases per second and the times of the calls, in ms. */
  run(clients: number, ms: number, snapshot?: () => void): Promise<RawSqlResult>;
}

export interface RawSqlResult {
  readonly calls: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** The SQL function of purchases, 64 in a call, with no job rows and no process around it. */
export async function openRawSql(url: string, { buyers, products }: Population): Promise<RawSql> {
  const clients = Array.from({ length: 4 }, () => new pg.Client({ connectionString: url }));
  // The servers end before this process.
  for (const client of clients) client.on('error', () => undefined);
  await Promise.all(clients.map((client) => client.connect()));

  async function buy(client: pg.Client): Promise<number> {
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

  return {
    async run(count, ms, snapshot = () => undefined) {
      const times: number[] = [];
      let calls = 0;
      snapshot();
      const from = performance.now();
      await Promise.all(
        clients.slice(0, count).map(async (client) => {
          while (performance.now() - from < ms) {
            const sentAt = performance.now();
            const bought = await buy(client);
            calls += bought; // Not `calls += await`: the other clients add to it meanwhile.
            times.push(performance.now() - sentAt);
          }
        }),
      );
      const seconds = (performance.now() - from) / 1_000;
      snapshot();
      const [p50, p99] = [0.5, 0.99].map((q) => quantile(times, q)) as [number, number];
      return { calls, perSecond: calls / seconds, p50, p99 };
    },
  };
}
