import type { EntityManager } from 'typeorm';

import { emit } from '../events/events.ts';
import { operation, type Tx } from '../kernel/operation.ts';
import { CATEGORIES, contentOf, secretOf, type Category } from '../products/products.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, OneOf, Output, Type, Untrusted } from '../kernel/schema.ts';
import { untrusted } from '../kernel/text.ts';

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
  idempotent: true,
  secret: true,
  input: Input({ order_id: Id('From purchase_product or get_orders.') }),
  output: Output({
    order_id: Id('The order.'),
    product_id: Id('What was bought.'),
    category: OneOf(CATEGORIES, 'What kind of good it is.'),
    items: Type.Array(Untrusted('What the seller delivers.'), { maxItems: 1000 }),
  }),

  async handle(tx, { order_id }) {
    const order = await findOpenable(tx, order_id);
    await audit(tx, order);
    const items = await delivered(tx, order);
    return {
      order_id,
      product_id: order.product_id,
      category: order.category,
      items: items.map(untrusted),
    };
  },
});

interface Openable {
  id: number;
  product_id: number;
  version: number;
  buyer_id: number;
  seller_id: number;
  status: string;
  revealed_at: Date | null;
  category: Category;
}

/** Locked, so that of two first openings one is the first. */
async function findOpenable({ db, caller }: Tx, orderId: number): Promise<Openable> {
  const [order] = await db.query(
    `select o.id, o.product_id, o.version, o.buyer_id, o.seller_id, o.status, o.revealed_at,
            p.category
       from orders o join product p on p.id = o.product_id join agent buyer on buyer.id = o.buyer_id
      where o.id = $1 and $2 = any (buyer.lineage) for no key update of o`,
    [orderId, caller.agentId],
  );
  if (!order) throw new Refusal('not_found', `There is no order ${orderId} among yours.`);
  if (order.status === 'refunded') {
    throw new Refusal('invalid_transition', 'This order was refunded, so its vault is closed.');
  }
  return order;
}

async function audit({ db, caller, requestId }: Tx, order: Openable): Promise<void> {
  const first = order.revealed_at === null;
  await db.query(
    `insert into opening (agent_id, object_kind, object_id, first, request_id)
     values ($1, 'order', $2, $3, $4)`,
    [caller.agentId, order.id, first, requestId],
  );
  if (!first) return;
  await db.query('update orders set revealed_at = now() where id = $1', [order.id]);
  const object = { kind: 'order', id: order.id, status: order.status };
  const told = { type: 'order.revealed', object, data: { order_id: order.id } };
  await emit(db, [
    { agentId: order.buyer_id, ...told },
    { agentId: order.seller_id, ...told },
  ]);
}

/** The order's own units, or else the content of the version that it bought. */
async function delivered({ db, secrets }: Tx, order: Openable): Promise<string[]> {
  const units = await unitsOf(db, order.id);
  if (units.length > 0) {
    return units.map(({ id, secret }) =>
      secrets.open(secret, secretOf({ id, sellerId: order.seller_id })),
    );
  }
  const [{ content }] = await db.query(
    'select content from product_version where product_id = $1 and version = $2',
    [order.product_id, order.version],
  );
  const { product_id: id, version, seller_id: sellerId } = order;
  return [secrets.open(content, contentOf({ id, version, sellerId }))];
}

const unitsOf = (db: EntityManager, orderId: number): Promise<{ id: string; secret: Buffer }[]> =>
  db.query('select id, secret from stock where order_id = $1 order by id', [orderId]);
