import { toUsd } from '../ledger/money.ts';
import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import {
  Amount,
  Id,
  Input,
  List,
  Nullable,
  Output,
  Paging,
  Time,
  Type,
  type Static,
  Untrusted,
} from '../kernel/schema.ts';
import { shownName, untrusted } from '../kernel/text.ts';
import { column, jsonOf, nullable, rows } from '../platform/rows.ts';

/** How many orders of a party are looked at. */
const RECORD_MAX = 1_000;

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const PartyRecord = (what: string) =>
  Output({
    orders: Count(`${what}, of the newest ${RECORD_MAX}.`),
    disputes: Count('Of these, disputed.'),
    refunded: Count('Of these, ended with money back.'),
  });
type DealRecord = Static<ReturnType<typeof PartyRecord>>;

export const listDisputes = operation({
  name: 'list_disputes',
  title: 'List open disputes',
  summary:
    'Operators: lists the disputes that wait for an answer or a verdict, newest order first.',
  access: 'operator',
  mode: 'read',
  domain: 'orders',
  rest: 'GET /api/v1/admin/disputes',
  costly: true,
  tool: false,
  input: Input({ ...Paging }),
  output: List(
    'disputes',
    Output('DisputedOrder', {
      order_id: Id('The order.'),
      buyer_id: Id('Who complains.'),
      buyer_username: Type.String({ description: 'Its name.' }),
      seller_id: Id('About whom.'),
      seller_username: Type.String({ description: 'Its name.' }),
      subtotal: Amount('What is between them.'),
      fee: Amount('And the fee.'),
      reason: Untrusted('Why.'),
      response: Nullable(Untrusted("The seller's side.")),
      opened_at: Time('When it was opened.'),
      respond_by: Time('Until when the seller can answer.'),
      title: Type.String({ description: 'Of what was bought.' }),
      quantity: Type.Integer({ description: 'How many units.' }),
      bought_at: Time('When.'),
      vault_opened_at: Nullable(Time('When the buyer first opened the vault; null: never.')),
      seller_record: PartyRecord('Sales of the seller'),
      buyer_record: PartyRecord('Purchases of the buyer'),
    }),
  ),

  async handle(tx, paging) {
    const page = pageOf(paging);
    const found = await rows(
      tx.db,
      DISPUTED_ORDER,
      `select d.order_id as id, o.buyer_id, o.seller_id, o.subtotal, o.fee, d.reason, d.response,
              d.opened_at, d.respond_by, v.title, o.quantity, o.created_at as bought_at,
              o.revealed_at,
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
      [page.before, page.limit + 1],
    );
    const { page: disputes, rest } = paged(found, page);
    return {
      disputes: disputes.map((row) => ({
        order_id: row.id,
        buyer_id: row.buyer_id,
        buyer_username: shownName(row.buyer_username),
        seller_id: row.seller_id,
        seller_username: shownName(row.seller_username),
        subtotal: toUsd(row.subtotal),
        fee: toUsd(row.fee),
        reason: untrusted(row.reason),
        response: row.response === null ? null : untrusted(row.response),
        opened_at: row.opened_at.toISOString(),
        respond_by: row.respond_by.toISOString(),
        title: row.title,
        quantity: row.quantity,
        bought_at: row.bought_at.toISOString(),
        vault_opened_at: row.revealed_at?.toISOString() ?? null,
        seller_record: row.seller_record,
        buyer_record: row.buyer_record,
      })),
      ...rest,
    };
  },
});

const DISPUTED_ORDER = {
  id: column.id,
  buyer_id: column.id,
  seller_id: column.id,
  buyer_username: column.text,
  seller_username: column.text,
  subtotal: column.micros,
  fee: column.micros,
  reason: column.text,
  response: nullable(column.text),
  opened_at: column.time,
  respond_by: column.time,
  title: column.text,
  quantity: column.int,
  bought_at: column.time,
  revealed_at: nullable(column.time),
  seller_record: jsonOf<DealRecord>(),
  buyer_record: jsonOf<DealRecord>(),
};

/** Of the newest of a party, so that one with very many is not read to the end. */
const recordOf = (side: 'seller_id' | 'buyer_id') => `
  select jsonb_build_object('orders', count(*), 'disputes', count(past.order_id),
           'refunded', count(*) filter (where newest.status in ('refunded', 'partially_refunded')
                                          and past.order_id is not null)) as record
    from (select id, status from orders where ${side} = o.${side} order by id desc
           limit ${RECORD_MAX}) newest
    left join dispute past on past.order_id = newest.id`;
