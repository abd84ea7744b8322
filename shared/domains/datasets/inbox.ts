import { callOf, inboxPart, type InboxPart } from '../../kernel/terms/inbox_part.ts';

/** SQL: open orders of `side` $1 whose buyer could not be let in. */
const FAILED = (side: 'buyer_id' | 'seller_id') => `
  select a.order_id as id, a.access_by as deadline, a.amount,
         jsonb_build_object('dataset_id', (
           select s.dataset_id from dataset_sale s where s.order_id = a.order_id)) as facts
    from order_access a where a.${side} = $1 and a.failed`;

interface Facts {
  readonly dataset_id: number;
}

/** Inbox entries of both parties about access that failed. */
export const datasetsInbox: readonly InboxPart[] = [
  inboxPart<Facts>({
    kind: 'access_to_repair',
    access: 'read',
    hasDeadline: true,
    sql: FAILED('seller_id'),
    asks: 'Let the buyer in: repair your server, or name another with rotate_dataset.',
    otherwise: 'The buyer is refunded in full.',
    calls: (order_id) => [callOf('get_order', { order_id }), callOf('refund_order', { order_id })],
  }),
  inboxPart<Facts>({
    kind: 'access_to_await',
    access: 'read',
    hasDeadline: true,
    sql: FAILED('buyer_id'),
    asks: 'Wait for the dataset that you bought, or return the order.',
    otherwise: 'You are refunded in full, unless you are let in before.',
    calls: (order_id, { dataset_id }) => [
      callOf('access_dataset', { dataset_id }),
      callOf('refund_order', { order_id }),
      callOf('dispute_order', { order_id }),
    ],
  }),
];
