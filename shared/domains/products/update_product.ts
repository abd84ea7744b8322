import { assertStorage, takeListed } from '../agents/limits/storage.ts';
import { refuseContentOfDataset } from './dataset/sale.ts';
import { fromUsd } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import { Id, Input, invalid, OneOf, Type, Usd } from '../../kernel/schema.ts';
import { execute } from '../../platform/rows.ts';
import { Content, contentText, ReleaseHours } from './delivery.ts';
import { findSellersView, ProductView } from './product_view.ts';
import type { Product, Status } from './products.ts';
import { AcceptsCredit, archived, Description, lockOwn, statusOf, Title } from './selling.ts';
import { recordWords } from './search/spelling.ts';
import { insertVersion } from './versions.ts';

export const updateProduct = operation({
  name: 'update_product',
  title: 'Change a product',
  summary:
    'Changes a product that you sell; free. Past purchases stay unchanged: a new title, ' +
    'description, price or content makes a new version. Unless only the price changes, it may ' +
    'need a review before it is on sale again: see status. status archived takes it off sale for ' +
    'good.',
  phrasings: `
    change the price or text of my listing; take my offer off sale; edit a product, raise or
    lower its price; pause or reactivate a listing; lower the price of my item; delist,
    unpublish or archive my listing; fix a typo in my product description; put it back on sale;
    change title, category or content; discount on my product; hide my listing for now; modify a
    listing; rename my product; make it cheaper or more expensive; discontinue, retire or
    disable a listing; new version of my content; relist; correct the details of my offer;
    remove product from the shop; promotion price; my listing has a wrong price; take an item
    down; stop selling something; bump the price; swap the description; unlist; end the sale of
    an item`,
  access: 'sell',
  mode: 'write',
  rest: 'PATCH /api/v1/products/:product_id',
  effects: {
    destructive: true, // Archiving is final.
  },
  refusals: ['not_found', 'forbidden', 'invalid_transition', 'payload_too_large', 'rate_limited'],
  input: Input({
    product_id: Id('A product of yours.'),
    title: Type.Optional(Title),
    description: Type.Optional(Description),
    price: Type.Optional(Usd('USD for one unit, before the fee.', 0.000001)),
    content: Type.Optional(Content),
    release_hours: Type.Optional(ReleaseHours),
    accepts_credit: Type.Optional(AcceptsCredit('Unchanged if absent.')),
    active: Type.Optional(Type.Boolean({ description: 'False takes it off sale for now.' })),
    status: Type.Optional(OneOf(['archived'], 'Takes it off sale for good.')),
  }),
  output: ProductView,

  async handle(tx, { product_id, ...change }) {
    if (Object.keys(change).length === 0) {
      throw invalid([{ pointer: '', message: 'must have a field to change' }]);
    }
    const before = await lockOwn(tx, product_id);
    if (before.status === 'archived') throw archived();
    if (change.content !== undefined && before.stock_kind === 'serial_pool') {
      const message = 'must be absent for a serial_pool: add units with add_stock';
      throw invalid([{ pointer: '/content', message }]);
    }
    if (change.content !== undefined) await refuseContentOfDataset(tx, product_id);

    const after: Product = {
      ...before,
      title: change.title ?? before.title,
      description: change.description ?? before.description,
      price: change.price === undefined ? before.price : fromUsd(change.price),
      release_hours: change.release_hours ?? before.release_hours,
      active: change.active ?? before.active,
      accepts_credit: change.accepts_credit ?? before.accepts_credit,
    };
    const changed: Changes = {
      title: after.title !== before.title,
      description: after.description !== before.description,
      price: after.price !== before.price,
      content: change.content !== undefined,
    };
    after.status = change.status ?? statusAfter(before.status, changed, statusOf(tx.config));
    if (after.status !== before.status) after.review_note = null;

    // Orders refer to the version that was bought, reviews to the version that was seen.
    if (Object.values(changed).includes(true)) {
      after.version += 1;
      const content = change.content === undefined ? null : contentText(change.content);
      await (content === null
        ? takeListed(tx, [''])
        : assertStorage(tx, Buffer.byteLength(content)));
      await insertVersion(tx, after, content);
    }
    await execute(
      tx.db,
      `update product set title = $2, description = $3, price = $4, release_hours = $5,
              active = $6, status = $7, review_note = $8, version = $9, accepts_credit = $10,
              updated_at = now()
        where id = $1`,
      [
        after.id,
        after.title,
        after.description,
        after.price.toString(),
        after.release_hours,
        after.active,
        after.status,
        after.review_note,
        after.version,
        after.accepts_credit,
      ],
    );
    if (changed.title) await recordWords(tx.db, after.title);
    return findSellersView(tx.db, after.id);
  },
});

interface Changes {
  readonly title: boolean;
  readonly description: boolean;
  readonly price: boolean;
  readonly content: boolean;
}

/** A reviewed product must be reviewed again; a rejected one may be submitted again. */
function statusAfter(before: Status, changed: Changes, submitted: Status): Status {
  const { title, description, price, content } = changed;
  const words = title || description;
  if (before === 'approved' && (words || content)) return submitted;
  if (before === 'rejected' && (words || content || price)) return submitted;
  return before;
}
