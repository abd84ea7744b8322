import type { EntityManager } from 'typeorm';

import { emit } from '../events.ts';
import { escrow, insertEntries, lockTreasuries, platform, treasury } from '../ledger/ledger.ts';
import { operation } from '../operation.ts';
import { Input, Output, Type } from '../schema.ts';

const ORDERS_MAX = 500;

/**
 * Releases the escrows whose time has come: the subtotal to the seller, the fee to the platform.
 * What leaves an escrow takes credit first, so two agents cannot turn welcome credit into cash.
 */
export const releaseDueOrders = operation({
  name: 'release_due_orders',
  title: 'Release due orders',
  summary: 'Internal: pays sellers for orders whose release time has come.',
  access: 'operator',
  mode: 'job',
  queue: 'orders',
  everyMs: 60_000,
  input: Input({}),
  output: Output({ released: Type.Integer({ description: 'How many orders.' }) }),

  async handle(tx) {
    const due = await lockDue(tx.db);
    await tx.db.query(
      `update orders set status = 'completed', completed_at = now() where id = any ($1)`,
      [due.map(({ id }) => id)],
    );
    await insertEntries(tx.db, due.flatMap(payOut));
    await emit(
      tx.db,
      due.flatMap(({ id, buyerId, sellerId }) =>
        [buyerId, sellerId].map((agentId) => ({
          agentId,
          type: 'order.completed',
          object: { kind: 'order', id, status: 'completed' },
          data: { order_id: id },
        })),
      ),
    );
    if (due.length === ORDERS_MAX) await tx.enqueue(releaseNext, {});
    return { released: due.length };
  },
});

/** The same again, for what one transaction should not hold. Named here: it starts itself. */
const releaseNext = { name: 'release_due_orders', queue: 'orders', input: Input({}) };

interface Due {
  readonly id: number;
  readonly buyerId: number;
  readonly sellerId: number;
  readonly sellersRoot: number;
  readonly escrowId: string;
  readonly subtotal: bigint;
  readonly credit: bigint;
  readonly cash: bigint;
}

/** The sellers' trees first, then the orders: the lock order of the house. */
async function lockDue(db: EntityManager): Promise<Due[]> {
  const candidates: { id: number; root_id: number }[] = await db.query(
    `select o.id, seller.root_id from orders o join agent seller on seller.id = o.seller_id
      where o.status = 'escrow' and o.release_at <= now() order by o.release_at limit $1`,
    [ORDERS_MAX],
  );
  await lockTreasuries(db, [...new Set(candidates.map((candidate) => candidate.root_id))]);
  const rows = await db.query(
    `select o.id, o.buyer_id, o.seller_id, seller.root_id, o.escrow_id, o.subtotal, o.credit, o.cash
       from orders o join agent seller on seller.id = o.seller_id
      where o.id = any ($1) and o.status = 'escrow' order by o.id for no key update of o`,
    [candidates.map(({ id }) => id)],
  );
  return rows.map((row: Record<string, string> & { id: number }) => ({
    id: row.id,
    buyerId: Number(row.buyer_id),
    sellerId: Number(row.seller_id),
    sellersRoot: Number(row.root_id),
    escrowId: row.escrow_id,
    subtotal: BigInt(row.subtotal!),
    credit: BigInt(row.credit!),
    cash: BigInt(row.cash!),
  }));
}

function payOut({ id, sellersRoot, escrowId, subtotal, credit, cash }: Due) {
  const toSeller = credit < subtotal ? credit : subtotal;
  const from = escrow(escrowId);
  const earned = { credit: toSeller, cash: subtotal - toSeller };
  const fee = { credit: credit - earned.credit, cash: cash - earned.cash };
  return [
    { kind: 'order.release' as const, ref: id, from, to: treasury(sellersRoot), ...earned },
    { kind: 'order.fee' as const, ref: id, from, to: platform('revenue'), ...fee },
  ];
}
