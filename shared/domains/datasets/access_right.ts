import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { ORDER, ORDER_COLUMNS, type Order } from '../orders/order.ts';
import { column, row, rows } from '../../platform/rows.ts';
import { findDataset, ON_OFFER, type Dataset } from '../products/dataset/dataset.ts';

/** The right of the caller to open a dataset. */
export interface Right {
  readonly dataset: Dataset;
  /** The order that gives the right. Undefined: the dataset is free or the caller's own. */
  readonly order: Order | undefined;
}

/**
 * The dataset, if the caller may open it: one that it or an agent below it offers or has bought, or
 * a free one. The order must not be refunded or too old, and is locked. The dataset is locked too,
 * so that it is not renewed while it is read.
 */
export async function findRight({ db, caller }: Tx, id: number): Promise<Right> {
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
  if (is_own || isFree) return { dataset, order: undefined };
  const order = dataset.product_id ? await lockOrder(db, caller, dataset) : undefined;
  if (order) return { dataset, order };
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

/** Statuses that give access, as in the vault: also disputed and partially refunded orders. */
const GIVES_ACCESS = ['escrow', 'disputed', 'completed', 'partially_refunded'];

/** The newest order of the caller, or of an agent below it, that still gives access. */
async function lockOrder(
  db: Tx['db'],
  { agentId, rootId }: Tx['caller'],
  { product_id, access_days }: Dataset,
): Promise<Order | undefined> {
  const [order] = await rows(
    db,
    ORDER,
    `select ${ORDER_COLUMNS} from orders o
      where o.product_id = $1 and o.status = any ($5)
        and ($4::int is null or o.created_at > now() - $4 * interval '1 day')
        and o.buyer_id = any (array(
              select id from agent where root_id = $2 and $3 = any (lineage)))
      order by o.id desc limit 1 for no key update`,
    [product_id, rootId, agentId, access_days, GIVES_ACCESS],
  );
  return order;
}
