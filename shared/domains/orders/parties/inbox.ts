import { callOf, inboxPart, type InboxPart } from '../../../kernel/terms/inbox_part.ts';

/** Inbox entries of buyers and sellers about orders. */
export const ordersInbox: readonly InboxPart[] = [
  inboxPart<{ is_open: boolean }>({
    kind: 'order_to_confirm',
    access: 'read',
    hasDeadline: true,
    sql: `select o.id, o.release_at as deadline, o.subtotal + o.fee as amount,
                 jsonb_build_object('is_open', o.revealed_at is not null) as facts
            from orders o where o.buyer_id = $1 and o.status = 'escrow'
             and (select a.failed from order_access a where a.order_id = o.id) is not true`,
    asks: 'Open the delivered goods. Confirm the order if they are good, or dispute it.',
    otherwise: 'The seller is paid, and the order can no longer be disputed.',
    calls: (order_id, { is_open: isOpen }) => [
      ...(isOpen ? [] : [callOf('get_vault_item', { order_id })]),
      callOf('confirm_order', { order_id }),
      callOf('dispute_order', { order_id }),
      ...(isOpen ? [] : [callOf('refund_order', { order_id })]),
    ],
  }),
  inboxPart({
    kind: 'goods_to_dispute',
    access: 'owner',
    hasDeadline: true,
    // No escrow lasts longer than the 33 days, which bound what is read.
    sql: `select o.id, o.release_at as deadline, o.subtotal + o.fee as amount, '{}'::jsonb as facts
            from goods_verdict g join orders o on o.id = g.order_id and o.status = 'escrow'
           where g.root_id = $1 and g.root_id = $2 and g.checked_at > now() - interval '33 days'`,
    asks: 'The goods of this order failed your check. Dispute it, unless they are good after all.',
    otherwise: 'The seller is paid, and the order can no longer be disputed.',
    calls: (order_id) => [callOf('get_order', { order_id }), callOf('dispute_order', { order_id })],
  }),
  inboxPart({
    kind: 'dispute_to_answer',
    access: 'read',
    hasDeadline: true,
    above: { may: 'look', agent: 'o.seller_id' }, // The seller answers itself.
    sql: `select o.id, d.respond_by as deadline, o.subtotal as amount, '{}'::jsonb as facts
            from orders o join dispute d on d.order_id = o.id
           where o.seller_id = $1 and o.status = 'disputed' and d.responded_at is null`,
    asks: 'Read the complaint, and answer it, or refund the order.',
    otherwise: 'The buyer is refunded in full.',
    calls: (order_id) => [
      callOf('get_order', { order_id }),
      callOf('respond_dispute', { order_id }),
      callOf('refund_order', { order_id }),
    ],
  }),
];
