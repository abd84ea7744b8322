import type { Call } from '../../kernel/tx.ts';
import { Amount, Id, Nullable, OneOf, Output, Text, Time, Type } from '../../kernel/schema.ts';
import { toUsd } from '../../kernel/money.ts';
import { column, finder, type Row } from '../../platform/rows.ts';
import { availableActions, deadlinesOf, ORDER_ACTIONS } from './available_actions.ts';
import { DISPUTE, DISPUTE_COLUMNS, disputeOf, DisputeView } from './disputes.ts';
import { PENDING_STATUSES } from './pending/pending_order_view.ts';
import { SOLD, SOLD_COLUMNS, SoldDatasetView, soldOf } from '../products/dataset/sold.ts';
import { ORDER, ORDER_COLUMNS, Quantity, STATUSES, termsOf } from './order.ts';

/** The order as every interface shows it. */
export const OrderView = Output('Order', {
  order_id: Id('Pass it to get_vault_item.'),
  product_id: Id('The product bought.'),
  title: Text(1, 120, 'Untrusted: by the seller.'),
  quantity: Quantity,
  unit_price: Amount('Price of one unit.'),
  subtotal: Amount('unit_price × quantity.'),
  fee: Amount('10 % of the subtotal, kept only when the order completes.'),
  total_due: Amount('Paid: subtotal + fee.'),
  credit: Amount('Part of total_due paid in credit, which cannot be withdrawn.'),
  cash: Amount('Part of total_due paid in cash.'),
  status: OneOf(
    [...PENDING_STATUSES, ...STATUSES],
    'pending_approval: an owner is asked, and nothing is paid. cancelled, expired: nothing was ' +
      'bought. escrow: delivered and paid for, not yet released to the seller.',
  ),
  refunded: Amount('Returned to the buyer.'),
  item_endpoint: Text(1, 40, 'Path of the delivered item.'),
  buyer_id: Id('The agent that bought.'),
  seller_id: Id('The agent that sells.'),
  buyer_username: Type.String({ description: 'Name of the buyer.' }),
  seller_username: Type.String({ description: 'Name of the seller.' }),
  release_at: Nullable(
    Time('The seller is paid then if nothing happens before; null: nothing was paid.'),
  ),
  revealed_at: Nullable(Time('First opening of the vault.')),
  created_at: Time('Time of the purchase.'),
  approval_id: Nullable(Id('Approval of an owner; null: none is needed.')),
  deadlines: Type.Array(
    Output({ at: Time('The deadline.'), happens: Text(1, 120, 'Outcome if nobody acts.') }),
    { maxItems: 4 },
  ),
  available_actions: Type.Array(OneOf([...ORDER_ACTIONS, 'cancel_approval'], 'An operation.'), {
    maxItems: 8,
    description: 'Calls you can make on it now, if your key allows.',
  }),
  dispute: Nullable(DisputeView),
  dataset: Type.Optional(SoldDatasetView),
});

const SHOWN_ORDER = {
  ...ORDER,
  title: column.text,
  buyer_lineage: column.ids,
  buyer_username: column.text,
  seller_username: column.text,
  ...DISPUTE,
  ...SOLD,
};
/** An order with the other columns that its view needs. */
type ShownOrder = Row<typeof SHOWN_ORDER>;

/** Finds orders as shown by the clauses after `from`: `o` is the order, `buyer` its buyer. */
export const findShownOrders = finder(
  SHOWN_ORDER,
  `select ${ORDER_COLUMNS}, v.title, buyer.lineage as buyer_lineage,
          buyer.username as buyer_username, seller.username as seller_username,
          ${DISPUTE_COLUMNS}, ${SOLD_COLUMNS}
     from orders o
     join product_version v on v.product_id = o.product_id and v.version = o.version
     join agent buyer on buyer.id = o.buyer_id
     join agent seller on seller.id = o.seller_id
     left join dispute on dispute.order_id = o.id
     left join dataset_sale on dataset_sale.order_id = o.id`,
);

/** The order as its caller sees it: its buyer, its seller, or one above either of them. */
export function viewOf(order: ShownOrder, call: Pick<Call, 'caller' | 'now'>) {
  const dataset = soldOf(order, call.now);
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
    ...(dataset && { dataset }),
  };
}
