import { operation } from '../../kernel/operation.ts';
import { Output, Type } from '../../kernel/schema.ts';
import { field, rowList, view } from '../../kernel/view.ts';

/** Maximum orders of a party that its record counts. */
const RECORD_MAX = 1_000;

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const partyRecord = (what: string) =>
  field.json(
    Output({
      orders: Count(`${what}, of the newest ${RECORD_MAX}.`),
      disputes: Count('Disputed orders among these.'),
      refunded: Count('Disputed orders that ended with a refund.'),
    }),
  );

const DISPUTED_ORDER = view('DisputedOrder', {
  order_id: field.id('The order.'),
  buyer_id: field.id('The buyer, who complains.'),
  buyer_username: field.name('Name of the buyer.'),
  seller_id: field.id('The seller.'),
  seller_username: field.name('Name of the seller.'),
  subtotal: field.amount('The amount in dispute, without the fee.'),
  fee: field.amount('Fee of the order.'),
  reason: field.untrusted("The buyer's complaint."),
  response: field.orNull(field.untrusted("The seller's answer.")),
  opened_at: field.time('Time of opening.'),
  respond_by: field.time('Last time for the seller to answer.'),
  title: field.text('Title of the version bought.'),
  quantity: field.whole('Number of units.'),
  bought_at: field.time('Time of the purchase.'),
  vault_opened_at: field.orNull(
    field.time('First opening of the vault by the buyer; null: never.'),
  ),
  seller_record: partyRecord('Sales of the seller'),
  buyer_record: partyRecord('Purchases of the buyer'),
});

/** SQL: the record of a party. Only its newest orders are read: it may have very many. */
const recordOf = (side: 'seller_id' | 'buyer_id') => `
  select jsonb_build_object('orders', count(*), 'disputes', count(past.order_id),
           'refunded', count(*) filter (where newest.status in ('refunded', 'partially_refunded')
                                          and past.order_id is not null)) as record
    from (select id, status from orders where ${side} = o.${side} order by id desc
           limit ${RECORD_MAX}) newest
    left join dispute past on past.order_id = newest.id`;

export const listDisputes = operation({
  name: 'list_disputes',
  title: 'List open disputes',
  summary:
    'Operators: lists the disputes that wait for an answer or a verdict, newest order first.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/disputes',
  reads: { costly: true },
  bindings: { tool: false },
  ...rowList('disputes', {
    item: DISPUTED_ORDER,
    id: 'order_id',
    sql: `select d.order_id, o.buyer_id, o.seller_id, o.subtotal, o.fee, d.reason, d.response,
                 d.opened_at, d.respond_by, v.title, o.quantity, o.created_at as bought_at,
                 o.revealed_at as vault_opened_at,
                 (select username from agent where id = o.buyer_id) as buyer_username,
                 (select username from agent where id = o.seller_id) as seller_username,
                 sales.record as seller_record, bought.record as buyer_record
            from (select * from dispute where closed_at is null and order_id < $1::bigint
                   order by order_id desc limit $2) d
            join orders o on o.id = d.order_id
            join product_version v on v.product_id = o.product_id and v.version = o.version
           cross join lateral (${recordOf('seller_id')}) sales
           cross join lateral (${recordOf('buyer_id')}) bought
           order by d.order_id desc`,
  }),
});
