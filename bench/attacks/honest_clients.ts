import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { quantile } from '../measure/statistics.ts';
import type { Answer, Call, HttpClient } from './http_client.ts';

/** Honest agents that call at a steady rate, however long the answers take. */
interface Clients {
  readonly perSecond: number;
  readonly next: () => Call;
}

export interface Measurement {
  readonly p50: number;
  readonly p99: number;
  readonly calls: number;
  /** Answers other than 200 and 202. */
  readonly refused: number;
  /** Answers 202: the result took longer than the wait of ten seconds. */
  readonly pending: number;
}

export type HonestName = keyof ReturnType<typeof honestClients>;

export function honestClients(keys: readonly string[], products: readonly number[]) {
  let turn = 0;
  const next = <T>(of: readonly T[]): T => of[(turn += 1) % of.length]!;
  return {
    purchases: {
      perSecond: 40,
      next: () => ({
        path: '/api/v1/orders',
        key: next(keys),
        headers: { 'idempotency-key': randomUUID() },
        body: `{"product_id":${next(products)}}`,
      }),
    },
    wallets: { perSecond: 40, next: () => ({ path: '/api/v1/wallet', key: next(keys) }) },
    registrations: {
      perSecond: 2,
      next: () => {
        const name = `n${randomUUID().slice(0, 12)}`;
        turn += 1;
        return {
          path: '/api/v1/agent/register',
          headers: { 'x-forwarded-for': `203.0.${turn % 250}.${(turn >> 8) % 250}` },
          body: JSON.stringify({
            username: name,
            email: `${name}@${name}.example`,
            password: 'correct horse battery',
          }),
        };
      },
    },
    emails: {
      perSecond: 5,
      next: () => ({
        path: `/api/v1/email/validate/ada@${randomUUID().slice(0, 8)}.example`,
        key: next(keys),
      }),
    },
  } satisfies Record<string, Clients>;
}

/** Calls for this time, and waits for every answer. */
export async function measure<N extends string>(
  call: HttpClient,
  clients: Readonly<Record<N, Clients>>,
  seconds: number,
): Promise<Record<N, Measurement>> {
  const measured = await Promise.all(
    Object.entries<Clients>(clients).map(async ([name, { perSecond, next }]) => {
      const answers: Promise<Answer>[] = [];
      const from = performance.now();
      for (let now = 0; now < seconds * 1_000; now = performance.now() - from) {
        while (answers.length < (now * perSecond) / 1_000) answers.push(call(next()));
        await sleep(5);
      }
      return [name, summaryOf(await Promise.all(answers))];
    }),
  );
  return Object.fromEntries(measured) as Record<N, Measurement>;
}

function summaryOf(answers: readonly Answer[]): Measurement {
  const times = answers.map(({ ms }) => ms);
  const count = (statuses: readonly number[]) =>
    answers.filter(({ status }) => statuses.includes(status)).length;
  return {
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    calls: answers.length,
    refused: answers.length - count([200, 202]),
    pending: count([202]),
  };
}
