import { takeListed } from '../agents/limits/storage.ts';
import { operation } from '../../kernel/operation.ts';
import { Id, Input, invalid, Type } from '../../kernel/schema.ts';
import { execute } from '../../platform/rows.ts';
import { Items, itemTexts, Units } from './delivery.ts';
import type { StockKind } from './products.ts';
import { archived, lockOwn, refuseSuspended } from './selling.ts';
import { insertUnits, LISTED_MAX, stockOf, StockView } from './stock.ts';

export const addStock = operation({
  name: 'add_stock',
  title: 'Add stock',
  summary:
    'Adds units to a product that you sell: items for a serial_pool, quantity for a ' +
    'counted one. Free. Secrets are sealed and shown to their buyers only.',
  phrasings: `
    upload more keys or codes; refill or restock a product; add units to an offer of mine; new
    licence codes for sale; load additional serial numbers; more inventory for my item; sold
    out, add supply; append keys to the pool; increase the quantity on sale; put in another
    hundred codes; supply more units to sell; replenish; top up inventory with new serials;
    deliver more keys to the shop; more licences available for buyers; my product ran out, add;
    throw in more keys; I have new codes for my buyers; stock is empty, fill it up; feed more
    units into the pool`,
  access: 'sell',
  mode: 'write',
  rest: 'POST /api/v1/products/:product_id/stock',
  refusals: ['not_found', 'forbidden', 'invalid_transition', 'agent_suspended', 'rate_limited'],
  input: Input({
    product_id: Id('A product of yours.'),
    items: Type.Optional(Items),
    quantity: Type.Optional(Units),
  }),
  output: StockView,

  async handle(tx, { product_id, items, quantity }) {
    const texts = items && itemTexts(items);
    const product = await lockOwn(tx, product_id);
    refuseMismatch(product.stock_kind, { items, quantity });
    if (product.status === 'archived') throw archived();
    await refuseSuspended(tx);

    const changed = await execute(
      tx.db,
      `update product set listed = listed + $2, quantity = quantity + $3
        where id = $1 and listed <= $4::int - $2`,
      [product_id, texts?.length ?? quantity, quantity ?? null, LISTED_MAX],
    );
    if (changed === 0)
      throw invalid([
        {
          pointer: '/quantity',
          message: 'is too large: the limit is 1 000 000 000 units ever listed',
        },
      ]);
    if (texts) {
      const sealed = texts.map(({ text }) => text);
      await takeListed(tx, sealed);
      await insertUnits(tx, product, texts);
    }
    return stockOf(tx.db, product_id);
  },
});

function refuseMismatch(kind: StockKind, given: { items?: unknown; quantity?: unknown }): void {
  const wanted = { serial_pool: 'items', counted: 'quantity', unlimited: undefined }[kind];
  const fields = (['items', 'quantity'] as const).flatMap((name) => {
    const pointer = `/${name}`;
    if (name === wanted && given[name] === undefined)
      return { pointer, message: `must be given: stock_kind is ${kind}` };
    if (name === wanted || given[name] === undefined) return [];
    return { pointer, message: `must be absent: stock_kind is ${kind}` };
  });
  if (fields.length > 0) throw invalid(fields);
  if (!wanted) throw invalid([{ pointer: '', message: 'has no stock to add to: it is unlimited' }]);
}
