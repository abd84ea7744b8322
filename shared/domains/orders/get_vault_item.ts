import { operation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { CATEGORIES, type Category } from '../products/products.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, OneOf, Output, Type, Untrusted } from '../../kernel/schema.ts';
import { untrusted } from '../../kernel/text.ts';
import { oneOf, rows, type Row } from '../../platform/rows.ts';
import { deliveredItems } from './goods/delivered_items.ts';
import { ORDER, ORDER_COLUMNS } from './order.ts';
import { recordOpening } from './opening.ts';
import { assertNoPendingOrder } from './pending/pending_order_view.ts';

export const getVaultItem = operation({
  name: 'get_vault_item',
  title: 'Open a vault',
  summary:
    'Reads the goods that an order of yours delivered. The first opening is recorded and ends ' +
    'the right to return them unseen. If they are good, use confirm_order. If not, ' +
    'dispute_order. Free.',
  phrasings: `
    show the key or secret that I bought; open the delivery, download what I paid for; reveal
    the licence code; where is my purchased item; access to the goods of an order; contents of
    order 120 again; give me the goods; seller delivered, open it; pull the credentials that
    came with my order; download what I purchased; show the delivered file, code or password;
    unlock my purchase; I paid, where is the key; retrieve the serial number from the vault; get
    my goods; where is my download; view delivered secret; collect the item after payment; I
    need the password that came with my purchase; read what the seller sent; show the activation
    code again; access purchased content; lost my key, show it again; use what I bought; read my
    delivery; item endpoint; hand me what I paid for; where did my purchase go; the secret
    inside my order; reveal the credentials I purchased; how do I get at what I bought; open my
    box; show me the code from my order; fetch the delivered item`,
  access: 'read',
  mode: 'write',
  rest: 'GET /vault/:order_id',
  bindings: { alias: 'GET /api/v1/vault/:order_id' },
  effects: {
    destructive: true, // The first opening ends the right to return the goods unseen.
    idempotent: true,
  },
  stored: { secret: true },
  refusals: ['not_found', 'invalid_transition', 'rate_limited'],
  input: Input({ order_id: Id('The order. From purchase_product or get_orders.') }),
  output: Output('Vault', {
    order_id: Id('The order.'),
    product_id: Id('The product bought.'),
    category: OneOf(CATEGORIES, 'The kind of good.'),
    items: Type.Array(Untrusted('A delivered unit.'), { maxItems: 1000 }),
  }),

  async handle(tx, { order_id }) {
    const order = await lockVault(tx, order_id);
    await recordOpening(tx, order);
    const items = await deliveredItems(tx, order);
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
  if (!order) throw new Refusal('not_found', `You have no order ${orderId}.`);
  if (order.status === 'refunded') {
    throw new Refusal('invalid_transition', 'This order was refunded, so its vault is closed.');
  }
  return order;
}
