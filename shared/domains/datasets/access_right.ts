import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { ORDER, ORDER_COLUMNS, type Order } from '../orders/order.ts';
import { column, row, rows } from '../../platform/rows.ts';
import { findDataset, ON_OFFER, type Dataset } from '../products/dataset/dataset.ts';

/** The right of the caller to open a dataset. */
export interface Right {
  /** The dataset, at the version that the caller gets. */
  readonly dataset: Dataset;
  /** The version that new buyers get. */
  readonly current: number;
  /** The version that the caller named. */
  readonly asked: number | undefined;
  /** The order that gives the right. Undefined: the dataset is free or the caller's own. */
  readonly order: Order | undefined;
}

/**
 * The dataset, if the caller may open it: one that it or an agent below it offers or has bought, or
 * a free one. The order must not be refunded or too old, and is locked. The dataset is locked too,
 * so that it is not renewed while it is read. A buyer gets the version that it bought until the
 * deal is final, and then the current one; or either, as it asks for.
 */
export async function findRight(
  { db, caller }: Tx,
  id: number,
  asked: number | undefined,
): Promise<Right> {
  const dataset = await findDataset(db, id, 'for share');
  if (!dataset) throw noneToOpen(id);
  // Read after the lock: otherwise its product could be read as it was before a sale began.
  const { is_own, is_on_offer } = await row(
    db,
    { is_own: column.boolean, is_on_offer: column.boolean },
    `select $2 = any (seller.lineage) as is_own, ${ON_OFFER} as is_on_offer
       from dataset d join agent seller on seller.id = d.seller_id
       left join product p on p.id = d.product_id
      where d.id = $1`,
    [id, caller.agentId],
  );
  const isFree = dataset.price === 0n && dataset.version > 0;
  if (is_own && dataset.version === 0) {
    throw new Refusal(
      'invalid_transition',
      'No version of this dataset has passed its check yet. Retry later.',
      {},
      {},
      ['list_datasets'],
    );
  }
  const { version: current } = dataset;
  if (is_own || isFree) {
    if (asked !== undefined && asked !== current) throw notKept(asked, current);
    return { dataset, current, asked, order: undefined };
  }
  const order = dataset.product_id ? await lockOrder(db, caller, dataset, asked) : undefined;
  if (order) {
    const version = asked ?? (await soldVersion(db, order)) ?? current;
    return { dataset: { ...dataset, version }, current, asked, order };
  }
  if (asked !== undefined && asked !== current && (await lockOrder(db, caller, dataset, current)))
    throw notKept(asked, current);
  if (!is_on_offer) throw noneToOpen(id);
  throw new Refusal(
    'forbidden',
    `Buy product ${dataset.product_id} with purchase_product first.`,
    { product_id: dataset.product_id },
    {},
    ['purchase_product'],
  );
}

const noneToOpen = (id: number) =>
  new Refusal('not_found', `There is no dataset ${id} that you can open.`, {}, {}, [
    'list_datasets',
    'get_orders',
  ]);

const notKept = (asked: number, current: number) =>
  new Refusal(
    'invalid_transition',
    `Version ${asked} is not kept for you. The current version is ${current}.`,
    { version: current },
  );

/** The version that an order bought; undefined: its deal is final. The order is locked. */
async function soldVersion(db: Tx['db'], { id }: Order): Promise<number | undefined> {
  const sql = 'select version from dataset_sale where order_id = $1 and is_open';
  return (await rows(db, { version: column.int }, sql, [id]))[0]?.version;
}

/** Statuses that give access, as in the vault: also disputed and partially refunded orders. */
const GIVES_ACCESS = ['escrow', 'disputed', 'completed', 'partially_refunded'];

/**
 * The newest order of the caller, or of an agent below it, that still gives access: to this
 * version, if one is asked for.
 */
async function lockOrder(
  db: Tx['db'],
  { agentId, rootId }: Tx['caller'],
  { product_id, access_days, version }: Dataset,
  asked: number | undefined,
): Promise<Order | undefined> {
  const [order] = await rows(
    db,
    ORDER,
    `select ${ORDER_COLUMNS} from orders o
      where o.product_id = $1 and o.status = any ($5)
        and ($4::int is null or o.created_at > now() - $4 * interval '1 day')
        and o.buyer_id = any (array(
              select id from agent where root_id = $2 and $3 = any (lineage)))
        and ($6::int is null or exists (
              select from dataset_sale s where s.order_id = o.id and s.version = $6 and s.is_open))
      order by o.id desc limit 1 for no key update`,
    [
      product_id,
      rootId,
      agentId,
      access_days,
      GIVES_ACCESS,
      asked === version ? null : (asked ?? null),
    ],
  );
  return order;
}
