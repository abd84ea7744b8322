import { operation, type Tx } from '../kernel/operation.ts';
import { CATEGORIES, contentOf, secretOf, type Category } from '../products/products.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, OneOf, Output, Type, Untrusted } from '../kernel/schema.ts';
import { untrusted } from '../kernel/text.ts';
import { column, oneOf, row, rows, type Row } from '../platform/rows.ts';
import { ORDER, ORDER_COLUMNS } from './order.ts';
import { recordOpening } from './opening.ts';
import { assertNoPendingOrder } from './pending/pending_order_view.ts';

export const getVaultItem = operation({
  name: 'get_vault_item',
  title: 'Open a vault',
  summary:
    'Reads what an order of yours delivered. The first opening is recorded and ends the right to ' +
    'give the goods back unseen. Free.',
  access: 'read',
  mode: 'write',
  domain: 'orders',
  rest: 'GET /vault/:order_id',
  alias: 'GET /api/v1/vault/:order_id',
  core: true,
  destructive: true, // The first opening ends the right to give the goods back unseen.
  idempotent: true,
  secret: true,
  refusals: ['not_found', 'invalid_transition'],
  input: Input({ order_id: Id('The order. From purchase_product or get_orders.') }),
  output: Output('Vault', {
    order_id: Id('The order.'),
    product_id: Id('What was bought.'),
    category: OneOf(CATEGORIES, 'What kind of good it is.'),
    items: Type.Array(Untrusted('What the seller delivers.'), { maxItems: 1000 }),
  }),

  async handle(tx, { order_id }) {
    const order = await lockVault(tx, order_id);
    await recordOpening(tx, order);
    const items = await openItems(tx, order);
    return {
      order_id,
      product_id: order.product_id,
      category: order.category,
      items: items.map(untrusted),
    };
  },
});

const VAULT = { ...ORDER, category: oneOf<Category>() };
type Vault = Row<typeof VAULT>;

/** Locks the order, so that only one of two first openings is the first. */
async function lockVault({ db, caller }: Tx, orderId: number): Promise<Vault> {
  const [order] = await rows(
    db,
    VAULT,
    `select ${ORDER_COLUMNS}, p.category
       from orders o join product p on p.id = o.product_id join agent buyer on buyer.id = o.buyer_id
      where o.id = $1 and $2 = any (buyer.lineage) for no key update of o`,
    [orderId, caller.agentId],
  );
  if (!order) await assertNoPendingOrder(db, { orderId, agentId: caller.agentId });
  if (!order) throw new Refusal('not_found', `There is no order ${orderId} among yours.`);
  if (order.status === 'refunded') {
    throw new Refusal('invalid_transition', 'This order was refunded, so its vault is closed.');
  }
  return order;
}

/** The order's own units, or else the content of the version that it bought. */
async function openItems({ db, secrets }: Tx, order: Vault): Promise<string[]> {
  const units = await rows(
    db,
    { id: column.id, secret: column.bytes },
    `select id, secret from stock join stock_secret on stock_id = id
      where order_id = $1 order by id`,
    [order.id],
  );
  if (units.length > 0) {
    return units.map(({ id, secret }) =>
      secrets.open(secret, secretOf({ id, sellerId: order.seller_id })),
    );
  }
  const { product_id: id, seller_id: sellerId } = order;
  const { content, version } = await row(
    db,
    { content: column.bytes, version: column.int },
    `select given.content, given.version from product_version bought
       join product_version given
         on (given.product_id, given.version) = (bought.product_id, bought.content_version)
      where bought.product_id = $1 and bought.version = $2`,
    [id, order.version],
  );
  return [secrets.open(content, contentOf({ id, version, sellerId }))];
}
