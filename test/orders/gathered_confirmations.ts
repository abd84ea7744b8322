import { expect } from 'chai';

import { eventually, type Reply, type TestPlatform } from '../harness.ts';
import { openDeal } from './deal.ts';

/** Two batches are in flight; what is called meanwhile goes together in the next one. */
const IN_FLIGHT = 2;

/** The status of each order that was confirmed, and the refusals of the other calls. */
export const codes = (replies: readonly Reply[]) =>
  replies.map(({ status, body }) => (status === 200 ? body.status : [status, body.error]));

/** Confirmations, and a way to have several of them handled together. */
export function gatheredConfirmations(platform: () => TestPlatform) {
  const confirm = (orderId: number, key: string, idempotencyKey?: string): Promise<Reply> =>
    platform().request(`POST /api/v1/orders/${orderId}/confirm`, {
      key,
      headers: idempotencyKey ? { 'idempotency-key': idempotencyKey } : {},
    });

  /** The replies to calls that gather while batches before them wait for a lock. */
  async function inOneBatch(
    calls: readonly (() => Promise<Reply>)[],
    meanwhile: () => Promise<unknown> = async () => undefined,
  ): Promise<Reply[]> {
    const first = await Promise.all(Array.from({ length: IN_FLIGHT }, () => openDeal(platform())));
    const { calls: permits } = platform().context.limiters;
    const before: Promise<Reply>[] = [];
    const replies = await platform().context.database.transaction(async (db) => {
      await db.query('select from ledger.lock_treasuries($1)', [
        first.map(({ seller }) => seller.id),
      ]);
      for (const [n, { orderId, buyer }] of first.entries()) {
        before.push(confirm(orderId, buyer.key));
        await eventually(
          () => platform().query('select from pg_locks where not granted'),
          (waiting) => waiting.length > n,
        );
      }
      const asked = calls.map((call) => call());
      await eventually(
        async () => permits.inUse(),
        (count) => count === IN_FLIGHT + calls.length,
      );
      await meanwhile();
      return asked;
    });
    for (const reply of await Promise.all(before)) expect(reply.status).to.equal(200);
    return Promise.all(replies);
  }

  return { confirm, inOneBatch };
}
