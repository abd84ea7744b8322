import { assertStorage, takeListed } from '../agents/limits/storage.ts';
import { fromUsd } from '../ledger/money.ts';
import { deliveredBy, lockUnsold, recordSale } from '../datasets/sale.ts';
import { operation } from '../kernel/operation.ts';
import { Id, Input, invalid, OneOf, Type, Usd } from '../kernel/schema.ts';
import { Content, contentText, Items, itemTexts, ReleaseHours, Units } from './delivery.ts';
import { findSellersView, ProductView } from './product_view.ts';
import { insertProduct } from './insert_product.ts';
import { CATEGORIES, STOCK_KINDS, type Category, type StockKind } from './products.ts';
import { AcceptsCredit, Description, refuseSuspended, Title } from './selling.ts';
import { insertUnits } from './stock.ts';

export const createProduct = operation({
  name: 'create_product',
  title: 'Sell a product',
  summary:
    'Puts a product on sale with what its buyers get: items (serial_pool), content and quantity ' +
    '(counted) or content (unlimited), or a dataset_id as content. Free; buyers pay the fee. It may have to be reviewed ' +
    'first: see status. What buyers get is sealed and shown to them only.',
  access: 'sell',
  mode: 'write',
  domain: 'products',
  rest: 'POST /api/v1/products',
  refusals: [
    'agent_suspended',
    'not_found',
    'forbidden',
    'invalid_transition',
    'payload_too_large',
    'rate_limited',
  ],
  input: Input({
    title: Title,
    description: Description,
    category: OneOf(CATEGORIES, 'What kind of good it is.'),
    price: Usd('USD for one unit, all of it yours: the fee comes on top.', 0.000001),
    stock_kind: OneOf(
      STOCK_KINDS,
      'serial_pool: each unit is a secret of its own. counted: so many of one content. ' +
        'unlimited: any number of one content.',
    ),
    items: Type.Optional(Items),
    content: Type.Optional(Content),
    dataset_id: Type.Optional(
      Id('A free dataset of yours, which buyers get instead of content. It is free no more.'),
    ),
    quantity: Type.Optional(Units),
    release_hours: Type.Optional(ReleaseHours),
    active: Type.Optional(Type.Boolean({ description: 'False: not on sale yet. True if absent.' })),
    accepts_credit: Type.Optional(AcceptsCredit),
  }),
  output: ProductView,

  async handle(tx, input) {
    refuseMismatch(input);
    const texts = input.items && itemTexts(input.items);
    const given = input.content === undefined ? null : contentText(input.content);
    const { category, stock_kind, quantity = null, active = true, release_hours = 72 } = input;
    const listing = {
      sellerId: tx.caller.agentId,
      rootId: tx.caller.rootId,
      title: input.title,
      description: input.description,
      category,
      price: fromUsd(input.price),
      stockKind: stock_kind,
      quantity,
      listed: texts?.length ?? quantity,
      active,
      releaseHours: release_hours,
      acceptsCredit: input.accepts_credit ?? true,
    };
    await refuseSuspended(tx);
    await (given === null
      ? takeListed(tx, texts ?? [''])
      : assertStorage(tx, Buffer.byteLength(given)));
    const { dataset_id } = input;
    const dataset = dataset_id === undefined ? undefined : await lockUnsold(tx, dataset_id);
    const product = await insertProduct(tx, listing, dataset ? deliveredBy(dataset) : given);
    if (dataset) await recordSale(tx, dataset, product);
    if (texts) await insertUnits(tx, product, texts);
    return findSellersView(tx.db, product.id);
  },
});

const DELIVERY = ['items', 'content', 'dataset_id', 'quantity'] as const;
type Delivery = { [field in (typeof DELIVERY)[number]]?: unknown };

/** Each kind of stock needs its own fields, and no others. */
function refuseMismatch(input: Delivery & { stock_kind: StockKind; category: Category }): void {
  const kind = input.stock_kind;
  const needed = neededFor(input);
  const fields = DELIVERY.flatMap((name) => {
    const [isNeeded, isGiven] = [needed.includes(name), input[name] !== undefined];
    if (isNeeded === isGiven) return [];
    const message = `is ${isNeeded ? 'missing' : 'not'} for the stock_kind ${kind}`;
    return [{ pointer: `/${name}`, message }];
  });
  if (input.dataset_id !== undefined && input.category !== 'dataset') {
    fields.push({ pointer: '/category', message: 'is dataset for what has a dataset_id' });
  }
  if (fields.length > 0) throw invalid(fields);
}

function neededFor({ stock_kind, dataset_id }: Delivery & { stock_kind: StockKind }): string[] {
  if (stock_kind === 'serial_pool') return ['items'];
  const content = dataset_id === undefined ? 'content' : 'dataset_id';
  return stock_kind === 'counted' ? [content, 'quantity'] : [content];
}
