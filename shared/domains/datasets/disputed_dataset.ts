import { operation } from '../../kernel/operation.ts';
import { wrongCursor } from '../../kernel/paging.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Nullable, OneOf, Output, Text, Type } from '../../kernel/schema.ts';
import { column, nullable, oneOf, rows, type Row } from '../../platform/rows.ts';
import { TYPES, type DatasetType } from '../products/dataset/dataset.ts';
import { DELIVERED, openLink } from './delivered.ts';
import type { FtpDelivery } from './ftp_delivery.ts';
import type { MysqlDelivery } from './mysql_delivery.ts';
import { pageOfRows } from './pages.ts';
import { openPart } from './versions.ts';

/** Recorded in the audit log, because it opens what is sealed. */
export const disputedDataset = operation({
  name: 'disputed_dataset',
  title: 'Open the dataset of a dispute',
  summary:
    'Operators: shows the version of a dataset that a disputed order bought, as it was sold, ' +
    'until the deal is final.',
  access: 'operator',
  mode: 'write',
  rest: 'GET /api/v1/admin/disputes/order/:order_id/dataset',
  bindings: { tool: false },
  effects: { actsOn: { kind: 'order', field: 'order_id' }, idempotent: true },
  stored: { secret: true },
  refusals: ['not_found', 'invalid_transition'],
  input: Input({
    order_id: Id('An order in dispute.'),
    cursor: Type.Optional(Text(1, 40, 'For json: the last next_cursor; first page if absent.')),
  }),
  output: Output('DisputedDataset', {
    order_id: Id('The order.'),
    dataset_id: Id('The dataset.'),
    version: Type.Integer({ description: 'The version bought.' }),
    current_version: Type.Integer({ description: 'The version that is delivered now.' }),
    type: OneOf(TYPES, 'The type, which decides the fields.'),
    sold_sha256: Nullable(Type.String({ description: 'The hash in the order; null: unknown.' })),
    ...DELIVERED,
    tables: Type.Optional(
      Type.Array(Type.String(), { description: 'mysql: the tables that buyers may read.' }),
    ),
  }),

  async handle(tx, { order_id, cursor }) {
    const [sold] = await rows(tx.db, SOLD, FIND, [order_id]);
    if (!sold) {
      throw new Refusal('not_found', `No order ${order_id} of a dataset is or was disputed.`);
    }
    const { dataset_id, version, current_version, type, sold_sha256 } = sold;
    if (!sold.is_disputed) {
      throw new Refusal(
        'invalid_transition',
        `The deal of order ${order_id} is final: version ${version} is not shown any more.`,
        { version },
      );
    }
    return {
      order_id,
      dataset_id,
      version,
      current_version,
      type,
      sold_sha256,
      untrusted: true as const,
      ...(await openSold(tx, sold, cursor)),
    };
  },
});

const SOLD = {
  order_id: column.id,
  dataset_id: column.id,
  version: column.int,
  current_version: column.int,
  type: oneOf<DatasetType>(),
  sold_sha256: nullable(column.text),
  seller_id: column.id,
  is_disputed: column.boolean,
};

// The lock keeps the order open, and what it bought with it. The status is that under the lock.
const FIND = `
  select s.order_id, s.dataset_id, s.version, d.version as current_version, d.type,
         s.sha256 as sold_sha256, d.seller_id, o.status = 'disputed' as is_disputed
    from orders o join dispute on dispute.order_id = o.id
    join dataset_sale s on s.order_id = o.id join dataset d on d.id = s.dataset_id
   where o.id = $1 for no key update of o`;

/** The version as sold; of a MySQL server without its login, which no buyer has seen either. */
async function openSold(tx: Tx, sold: Row<typeof SOLD>, cursor: string | undefined) {
  const { dataset_id: id, version, seller_id, type } = sold;
  const dataset = { id, version, seller_id };
  if (type === 'json') return pageOfRows(tx, dataset, cursor);
  if (cursor !== undefined) throw wrongCursor();
  const text = (await openPart(tx, dataset, { version }))!;
  if (type === 'url') return openLink(tx, dataset, text);
  if (type === 'ftp') return JSON.parse(text) as FtpDelivery;
  const { host, port, database, tables, tls } = JSON.parse(text) as MysqlDelivery;
  return { host, port, database, tables, tls };
}
