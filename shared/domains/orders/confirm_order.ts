import { operation } from '../../kernel/operation.ts';
import { Id, Input, type Static } from '../../kernel/schema.ts';
import type { BatchedCall } from '../../kernel/terms/operation_groups.ts';
import { column, rows } from '../../platform/rows.ts';
import type { MoneyTx } from '../ledger/ledger.ts';
import { findShownOrders, OrderView, viewOf } from './order_view.ts';
import { assertRole, assertStatus, lockOwnOrder, shownTo } from './own_orders.ts';
import { announceSales, settle } from './settle.ts';

const ConfirmInput = Input({ order_id: Id('An order of yours in escrow.') });

export const confirmOrder = operation({
  name: 'confirm_order',
  title: 'Confirm an order',
  summary:
    'Releases the escrow of an order of yours to its seller at once, instead of at release_at. ' +
    'Final: it cannot be refunded or disputed afterwards. If something is wrong, use ' +
    'dispute_order. Free.',
  phrasings: `
    it works, pay the seller; accept the delivery; release the escrow now; all fine, finish the
    order; everything works, release the money to the seller; goods received and OK, close the
    order; confirm receipt; mark the order as complete; finalize the purchase; I am happy with
    what I bought; let the seller have the funds early; release payment to the vendor;
    acknowledge that I got it; approve the goods; product is fine; no problems, pay out seller;
    end the escrow early; accept the order; everything arrived, thanks; the license activates
    fine, pay them; I am satisfied with the purchase; close the deal with the seller; let go of
    the escrow`,
  access: 'buy',
  mode: 'write',
  rest: 'POST /api/v1/orders/:order_id/confirm',
  effects: { destructive: true },
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: ConfirmInput,
  output: OrderView,

  async handle(tx, { order_id }) {
    const { order, role } = await lockOwnOrder(tx, order_id);
    assertRole(role, 'buyer');
    assertStatus(order, 'escrow');
    await settle(tx, [order], ({ subtotal }) => subtotal);
    return shownTo(tx, order_id);
  },

  writeBatch: { handleMany: confirmMany },
});

/** Confirms in one statement what may be confirmed. The others are left to `handle`. */
async function confirmMany(
  tx: MoneyTx,
  calls: readonly BatchedCall<typeof ConfirmInput>[],
): Promise<(Static<typeof OrderView> | undefined)[]> {
  const orderIds = calls.map(({ input }) => input.order_id);
  const confirmed = await rows(
    tx.db,
    { nth: column.id, seller_root: column.id },
    'select nth, seller_root from confirm_orders($1, $2)',
    [orderIds, calls.map(({ caller }) => caller.agentId)],
  );
  await announceSales(
    tx,
    confirmed.map(({ seller_root }) => seller_root),
  );
  const shown = await findShownOrders(tx.db, 'where o.id = any ($1)', [
    confirmed.map(({ nth }) => orderIds[nth - 1]!),
  ]);
  const orders = new Map(shown.map((order) => [order.id, order]));
  const isConfirmed = new Set(confirmed.map(({ nth }) => nth - 1));
  return calls.map((call, n) =>
    isConfirmed.has(n) ? viewOf(orders.get(orderIds[n]!)!, call) : undefined,
  );
}
