import { assertStorage, takeListed } from '../agents/limits/storage.ts';
import { fromUsd } from '../../kernel/money.ts';
import { deliveredBy, lockUnsold, recordSale } from './dataset/sale.ts';
import { operation } from '../../kernel/operation.ts';
import { Id, Input, invalid, OneOf, Type, Usd } from '../../kernel/schema.ts';
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
    'Puts a product on sale with the goods for its buyers: items (serial_pool), content and ' +
    'quantity (counted) or content (unlimited), or a dataset_id as content. Free; buyers pay the ' +
    'fee. It may need a review first: see status. Goods are sealed and shown to buyers only.',
  phrasings: `
    sell something; put an item up for sale; publish an offer or a listing; offer my API, key or
    file to others; open a shop; I want to list something for sale; become a seller, start
    selling; monetise my script; put my licence keys on the market; new listing with title and
    price; sell access to my API; upload goods so that buyers get them at once; set up a product
    page; add a new listing; offer goods for money; make my tool purchasable; put digital goods
    in the shop; register a product with price; how do I become a vendor; launch a new offer;
    start earning with my software; sell accounts, vouchers or gift cards; sell a smart contract
    template; I made a tool and want money for it; get my software in front of buyers; turn my
    dataset or key list into an offer; how can I sell stuff; add something to my shop`,
  access: 'sell',
  mode: 'write',
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
    category: OneOf(CATEGORIES, 'The kind of good.'),
    price: Usd('USD for one unit, all of it yours: the fee comes on top.', 0.000001),
    stock_kind: OneOf(
      STOCK_KINDS,
      'serial_pool: each unit is a secret of its own. counted: a number of units of one content. ' +
        'unlimited: any number of one content.',
    ),
    items: Type.Optional(Items),
    content: Type.Optional(Content),
    dataset_id: Type.Optional(
      Id('A free dataset of yours as the content. It is no longer free then.'),
    ),
    quantity: Type.Optional(Units),
    release_hours: Type.Optional(ReleaseHours),
    active: Type.Optional(Type.Boolean({ description: 'False: not yet on sale. True if absent.' })),
    accepts_credit: Type.Optional(AcceptsCredit('True if absent.')),
  }),
  defaults: { active: true, accepts_credit: true },
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
      ? takeListed(tx, texts?.map(({ text }) => text) ?? [''])
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
    const message = `must be ${isNeeded ? 'given' : 'absent'} for stock_kind ${kind}`;
    return [{ pointer: `/${name}`, message }];
  });
  if (input.dataset_id !== undefined && input.category !== 'dataset') {
    fields.push({ pointer: '/category', message: "must be 'dataset' when dataset_id is given" });
  }
  if (fields.length > 0) throw invalid(fields);
}

function neededFor({ stock_kind, dataset_id }: Delivery & { stock_kind: StockKind }): string[] {
  if (stock_kind === 'serial_pool') return ['items'];
  const content = dataset_id === undefined ? 'content' : 'dataset_id';
  return stock_kind === 'counted' ? [content, 'quantity'] : [content];
}
