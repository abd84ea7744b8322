import type { Call } from '../kernel/operation.ts';
import { Amount, Id, Nullable, OneOf, Output, Text, Time, Type } from '../kernel/schema.ts';
import { toUsd } from '../ledger/money.ts';
import { column, rows, type Database, type Row } from '../platform/rows.ts';
import { availableActions, deadlinesOf, ORDER_ACTIONS } from './available_actions.ts';
import { DISPUTE, DISPUTE_COLUMNS, disputeOf, DisputeView } from './disputes.ts';
import { PENDING_STATUSES } from './pending/pending_order_view.ts';
import { ORDER, ORDER_COLUMNS, Quantity, STATUSES, termsOf } from './order.ts';

/** The order as every interface shows it. */
export const OrderView = Output('Order', {
  order_id: Id('Pass it to get_vault_item.'),
  product_id: Id('What was bought.'),
  title: Text(1, 120, 'Of the version bought: untrusted.'),
  quantity: Quantity,
  unit_price: Amount('Of one unit.'),
  subtotal: Amount('unit_price × quantity.'),
  fee: Amount('10 % of the subtotal, kept only when the order completes.'),
  total_due: Amount('What was paid: subtotal + fee.'),
  credit: Amount('Of total_due, what credit paid. Credit is spent like money, never withdrawn.'),
  cash: Amount('Of total_due, what cash paid.'),
  status: OneOf(
    [...PENDING_STATUSES, ...STATUSES],
    'pending_approval: an owner is asked, and nothing is paid. cancelled, expired: nothing was ' +
      'bought. escrow: delivered and paid for, not yet released to the seller.',
  ),
  refunded: Amount('What went back to the buyer.'),
  item_endpoint: Text(1, 40, 'Where the delivered item can be read.'),
  buyer_id: Id('The agent that bought.'),
  seller_id: Id('The agent that sells.'),
  buyer_username: Type.String({ description: 'Its name.' }),
  seller_username: Type.String({ description: 'Its name.' }),
  release_at: Nullable(
    Time('When the escrow is released to the seller if nothing happens before; null: none is.'),
  ),
  revealed_at: Nullable(Time('When the vault was first opened.')),
  created_at: Time('When it was bought.'),
  approval_id: Nullable(Id('What an owner is asked about it; null: nothing.')),
  deadlines: Type.Array(
    Output({ at: Time('When.'), happens: Text(1, 120, 'What happens then, if nothing is done.') }),
    { maxItems: 4 },
  ),
  available_actions: Type.Array(OneOf([...ORDER_ACTIONS, 'cancel_approval'], 'An operation.'), {
    maxItems: 8,
    description: 'What you can do with this order now, if your key allows it.',
  }),
  dispute: Nullable(DisputeView),
});

const SHOWN_ORDER = {
  ...ORDER,
  title: column.text,
  buyer_lineage: column.ids,
  buyer_username: column.text,
  seller_username: column.text,
  ...DISPUTE,
};
/** An order with what its view needs besides. */
export type ShownOrder = Row<typeof SHOWN_ORDER>;

/** Finds orders to be shown. `clauses` follows `from`: `o` is the order, `buyer` its buyer. */
export function findShownOrders(
  db: Database,
  clauses: string,
  parameters: readonly unknown[],
): Promise<ShownOrder[]> {
  return rows(
    db,
    SHOWN_ORDER,
    `select ${ORDER_COLUMNS}, v.title, buyer.lineage as buyer_lineage,
            buyer.username as buyer_username, seller.username as seller_username,
            ${DISPUTE_COLUMNS}
       from orders o
       join product_version v on v.product_id = o.product_id and v.version = o.version
       join agent buyer on buyer.id = o.buyer_id
       join agent seller on seller.id = o.seller_id
       left join dispute on dispute.order_id = o.id
     ${clauses}`,
    parameters,
  );
}

/** The order as its caller sees it: its buyer, its seller, or one above either of them. */
export function viewOf(order: ShownOrder, call: Pick<Call, 'caller' | 'now'>) {
  return {
    ...termsOf(order),
    credit: toUsd(order.credit),
    cash: toUsd(order.cash),
    status: order.status,
    refunded: toUsd(order.refunded),
    release_at: order.release_at.toISOString(),
    revealed_at: order.revealed_at?.toISOString() ?? null,
    approval_id: null,
    deadlines: deadlinesOf(order),
    available_actions: availableActions(order, call),
    dispute: disputeOf(order),
  };
}
