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
  Untrusted,
} from '../kernel/schema.ts';
import { untrusted } from '../kernel/text.ts';
import { column, nullable, rows } from '../platform/rows.ts';

export const listDisputes = operation({
  name: 'list_disputes',
  title: 'List open disputes',
  summary:
    'Operators: lists the disputes that wait for an answer or a verdict, newest order first.',
  access: 'operator',
  mode: 'read',
  domain: 'orders',
  rest: 'GET /api/v1/admin/disputes',
  tool: false,
  input: Input({ ...Paging }),
  output: List(
    'disputes',
    Output('DisputedOrder', {
      order_id: Id('The order.'),
      buyer_id: Id('Who complains.'),
      seller_id: Id('About whom.'),
      subtotal: Amount('What is between them.'),
      fee: Amount('And the fee.'),
      reason: Untrusted('Why.'),
      response: Nullable(Untrusted("The seller's side.")),
      opened_at: Time('When it was opened.'),
      respond_by: Time('Until when the seller can answer.'),
    }),
  ),

  async handle(tx, paging) {
    const page = pageOf(paging);
    const found = await rows(
      tx.db,
      DISPUTED_ORDER,
      `select d.order_id as id, o.buyer_id, o.seller_id, o.subtotal, o.fee, d.reason, d.response,
              d.opened_at, d.respond_by
         from dispute d join orders o on o.id = d.order_id
        where d.closed_at is null and d.order_id < $1::bigint order by d.order_id desc limit $2`,
      [page.before, page.limit + 1],
    );
    const { page: disputes, rest } = paged(found, page);
    return {
      disputes: disputes.map((row) => ({
        order_id: row.id,
        buyer_id: row.buyer_id,
        seller_id: row.seller_id,
        subtotal: toUsd(row.subtotal),
        fee: toUsd(row.fee),
        reason: untrusted(row.reason),
        response: row.response === null ? null : untrusted(row.response),
        opened_at: row.opened_at.toISOString(),
        respond_by: row.respond_by.toISOString(),
      })),
      ...rest,
    };
  },
});

const DISPUTED_ORDER = {
  id: column.id,
  buyer_id: column.id,
  seller_id: column.id,
  subtotal: column.micros,
  fee: column.micros,
  reason: column.text,
  response: nullable(column.text),
  opened_at: column.time,
  respond_by: column.time,
};
