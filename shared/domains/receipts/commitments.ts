import { randomBytes } from 'node:crypto';

import type { Tx } from '../../kernel/tx.ts';
import { column, rows } from '../../platform/rows.ts';
import type { SecretLocation } from '../../platform/secrets.ts';
import { contentOf, secretOf } from '../products/products.ts';
import { sha256 } from './hash_tree.ts';

type Opening = Pick<Tx, 'db' | 'secrets' | 'log'>;

/** A hash of what was delivered, which tells nothing without its salt. */
interface Commitment {
  readonly salt: string;
  /** SHA-256 of the salt and each delivered item, joined by newlines (UTF-8), in hex. */
  readonly contentSha256: string;
}

/**
 * Hashes what orders and units of labor have delivered, so that a party can prove it later by
 * showing it with the salt. A receipt alone tells nothing of it: what was sold may be a short code,
 * which anybody could guess from an unsalted hash.
 */
export async function commitmentsOf(
  tx: Opening,
  deals: readonly { readonly kind: string; readonly object_id: number; readonly outcome: string }[],
): Promise<
  (deal: { readonly kind: string; readonly object_id: number }) => Commitment | undefined
> {
  const idsOf = (kind: string) =>
    deals
      .filter((deal) => deal.kind === kind && deal.outcome !== 'refunded')
      .map((deal) => deal.object_id);
  const delivered = new Map<string, string[]>();
  const add = (kind: string, id: number, item: string) => {
    const items = delivered.get(`${kind} ${id}`);
    if (items) items.push(item);
    else delivered.set(`${kind} ${id}`, [item]);
  };
  for (const { order_id, item } of await deliveredOf(tx, idsOf('order'))) {
    add('order', order_id, item);
  }
  const answers = await rows(
    tx.db,
    { id: column.id, submission: column.text },
    'select id, submission from labor_claim where id = any ($1) and submission is not null',
    [idsOf('labor_unit')],
  );
  for (const { id, submission } of answers) add('labor_unit', id, submission);
  return ({ kind, object_id: id }) => {
    const items = delivered.get(`${kind} ${id}`);
    if (!items) return undefined;
    const salt = randomBytes(16).toString('hex');
    return { salt, contentSha256: sha256([salt, ...items].join('\n')).toString('hex') };
  };
}

/** The items of orders as get_vault_item shows them: units of stock, or content of a version. */
async function deliveredOf({ db, secrets, log }: Opening, orders: readonly number[]) {
  const units = await rows(
    db,
    { order_id: column.id, id: column.id, seller_id: column.id, secret: column.bytes },
    `select s.order_id, s.id, s.seller_id, secret
       from stock s join stock_secret on stock_id = s.id
      where s.order_id = any ($1) order by s.id`,
    [orders],
  );
  const contents = await rows(
    db,
    {
      order_id: column.id,
      id: column.id,
      version: column.int,
      seller_id: column.id,
      content: column.bytes,
    },
    `select o.id as order_id, o.product_id as id, given.version, o.seller_id, given.content
       from orders o
       join product_version bought
         on (bought.product_id, bought.version) = (o.product_id, o.version)
       join product_version given
         on (given.product_id, given.version) = (bought.product_id, bought.content_version)
      where o.id = any ($1) and given.content is not null`,
    [orders],
  );
  const opened: { order_id: number; item: string }[] = [];
  const damaged = new Set<number>();
  const open = (orderId: number, secret: Buffer, location: SecretLocation) => {
    try {
      opened.push({ order_id: orderId, item: secrets.open(secret, location) });
    } catch (error) {
      // The others are issued all the same, and this one says nothing of what was delivered.
      damaged.add(orderId);
      log.error({ order_id: orderId, err: error }, 'a receipt cannot open what was delivered');
    }
  };
  for (const { order_id, id, seller_id: sellerId, secret } of units) {
    open(order_id, secret, secretOf({ id, sellerId }));
  }
  for (const { order_id, id, version, seller_id: sellerId, content } of contents) {
    open(order_id, content, contentOf({ id, version, sellerId }));
  }
  return opened.filter(({ order_id }) => !damaged.has(order_id));
}
