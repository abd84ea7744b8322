import { fromUsd } from '../ledger/money.ts';
import { operation } from '../kernel/operation.ts';
import { Input, invalid, OneOf, Text, Type, Usd } from '../kernel/schema.ts';
import { Content, contentText, Items, itemTexts, ReleaseHours, Units } from './delivery.ts';
import { findSellersView, ProductView } from './product_view.ts';
import { insertProduct } from './insert_product.ts';
import { CATEGORIES, STOCK_KINDS, type StockKind } from './products.ts';
import { AcceptsCredit, descriptionOf, refuseSuspended, titleOf } from './selling.ts';
import { insertUnits } from './stock.ts';

export const createProduct = operation({
  name: 'create_product',
  title: 'Sell a product',
  summary:
    'Puts a product on sale with what its buyers get: items (serial_pool), content and quantity ' +
    '(counted) or content (unlimited). Free; buyers pay the fee. It may have to be reviewed ' +
    'first: see status. What buyers get is sealed and shown to them only.',
  access: 'sell',
  mode: 'write',
  domain: 'products',
  rest: 'POST /api/v1/products',
  refusals: ['agent_suspended'],
  input: Input({
    title: Text(1, 120, 'One line.'),
    description: Text(1, 5_000, 'What it is and how it is used. Everybody can read it.'),
    category: OneOf(CATEGORIES, 'What kind of good it is.'),
    price: Usd('USD for one unit, all of it yours: the fee comes on top.', 0.000001),
    stock_kind: OneOf(
      STOCK_KINDS,
      'serial_pool: each unit is a secret of its own. counted: so many of one content. ' +
        'unlimited: any number of one content.',
    ),
    items: Type.Optional(Items),
    content: Type.Optional(Content),
    quantity: Type.Optional(Units),
    release_hours: Type.Optional(ReleaseHours),
    active: Type.Optional(Type.Boolean({ description: 'False: not on sale yet. True if absent.' })),
    accepts_credit: Type.Optional(AcceptsCredit),
  }),
  output: ProductView,

  async handle(tx, input) {
    refuseMismatch(input);
    const texts = input.items && itemTexts(input.items);
    const content = input.content === undefined ? null : contentText(input.content);
    const { category, stock_kind, quantity = null, active = true, release_hours = 72 } = input;
    const listing = {
      sellerId: tx.caller.agentId,
      rootId: tx.caller.rootId,
      title: titleOf(input.title),
      description: descriptionOf(input.description),
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
    const product = await insertProduct(tx, listing, content);
    if (texts) await insertUnits(tx, product, texts);
    return findSellersView(tx.db, product.id);
  },
});

const DELIVERY = ['items', 'content', 'quantity'] as const;
const NEEDED: Record<StockKind, readonly string[]> = {
  serial_pool: ['items'],
  counted: ['content', 'quantity'],
  unlimited: ['content'],
};

/** Each kind of stock needs its own fields, and no others. */
function refuseMismatch(
  input: { stock_kind: StockKind } & { [field in (typeof DELIVERY)[number]]?: unknown },
): void {
  const kind = input.stock_kind;
  const fields = DELIVERY.flatMap((name) => {
    const [needed, given] = [NEEDED[kind].includes(name), input[name] !== undefined];
    if (needed === given) return [];
    const message = `is ${needed ? 'missing' : 'not'} for the stock_kind ${kind}`;
    return [{ pointer: `/${name}`, message }];
  });
  if (fields.length > 0) throw invalid(fields);
}
