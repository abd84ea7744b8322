import pg from 'pg';

import { newJobId } from '../../shared/jobs/jobs.ts';
import { quantile } from '../measure/statistics.ts';
import type { People } from '../setup/populate.ts';

const SEATS = 64;

export const anyOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!;

export interface RawSql {
  /** Buys for `ms` and answers the purchases per second and the times of the calls. */
  run(clients: number, ms: number, mark?: () => void): Promise<Bought>;
}

export interface Bought {
  readonly calls: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** The purchase's own SQL, 64 in a call, with no job rows and nothing around it. */
export async function openRawSql(url: string, { buyers, products }: People): Promise<RawSql> {
  const clients = Array.from({ length: 4 }, () => new pg.Client({ connectionString: url }));
  // The servers end before this process does.
  for (const client of clients) client.on('error', () => undefined);
  await Promise.all(clients.map((client) => client.connect()));

  async function buy(client: pg.Client): Promise<number> {
    const now = new Date();
    const seats = Array.from({ length: SEATS });
    const { rowCount } = await client.query('select * from purchase_batch($1, $2, $3, $4)', [
      seats.map(() => newJobId(now)),
      seats.map(() => anyOf(buyers).id),
      seats.map(() => anyOf(products)),
      seats.map(() => 1),
    ]);
    return rowCount ?? 0;
  }

  return {
    async run(count, ms, mark = () => undefined) {
      const times: number[] = [];
      let calls = 0;
      mark();
      const from = performance.now();
      await Promise.all(
        clients.slice(0, count).map(async (client) => {
          while (performance.now() - from < ms) {
            const asked = performance.now();
            const bought = await buy(client);
            calls += bought; // Not in one: the others add to it meanwhile.
            times.push(performance.now() - asked);
          }
        }),
      );
      const seconds = (performance.now() - from) / 1_000;
      mark();
      const [p50, p99] = [0.5, 0.99].map((part) => quantile(times, part)) as [number, number];
      return { calls, perSecond: calls / seconds, p50, p99 };
    },
  };
}
