import type { Config } from '../composition/config.ts';
import type { Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Text, Type } from '../kernel/schema.ts';
import { Shown, ShownLine } from '../kernel/text.ts';
import { suspendedRefusal } from '../agents/status/suspended.ts';
import { column, namesOf, row, rows } from '../platform/rows.ts';
import { ON_SALE, PRODUCT_COLUMNS, type Product, type Status } from './products.ts';

export const Title = ShownLine(Text(1, 120, 'One line.'));
export const Description = Shown(Text(1, 5_000, 'What it is and how it is used. Public.'));
export const AcceptsCredit = Type.Boolean({
  description:
    'False: only cash pays for it, which you can withdraw once it is released. Credit, as each ' +
    'new agent gets, is spent on and never withdrawn. True if absent.',
});

/** The caller's own product, locked. Another agent's is `forbidden` if the caller can see it. */
export async function lockOwn(tx: Tx, productId: number): Promise<Product> {
  const [product] = await rows(
    tx.db,
    PRODUCT_COLUMNS,
    `select ${namesOf(PRODUCT_COLUMNS)} from product
      where id = $1 and seller_id = $2 for no key update`,
    [productId, tx.caller.agentId],
  );
  if (!product) throw await notTheirs(tx, productId);
  return product;
}

/** Why this product is not the caller's to change. */
export async function notTheirs({ db, caller }: Tx, productId: number): Promise<Refusal> {
  const { visible } = await row(
    db,
    { visible: column.boolean },
    `select exists (select from product p join agent seller on seller.id = p.seller_id
                     where p.id = $1 and (${ON_SALE} or seller.root_id = $2)) as visible`,
    [productId, caller.rootId],
  );
  return visible
    ? new Refusal('forbidden', 'Only the agent that sells this product may do that.')
    : noSuchProduct();
}

export const noSuchProduct = () =>
  new Refusal('not_found', 'There is no such product on sale, nor among yours.');

export const archived = () =>
  new Refusal('invalid_transition', 'This product is archived, and that is final. List a new one.');

/** The status of what was just submitted. */
export const statusOf = ({ products }: Config): Status =>
  products.autoApprove ? 'approved' : 'pending_review';

/** A suspension, of the agent or of one above it, stops new listings. */
export async function refuseSuspended({ db, caller }: Tx): Promise<void> {
  const [suspended] = await rows(
    db,
    { id: column.id },
    `select above.id from agent a join agent above on above.id = any (a.lineage)
      where a.id = $1 and above.status = 'suspended'
      order by cardinality(above.lineage) desc limit 1`,
    [caller.agentId],
  );
  if (!suspended) return;
  throw await suspendedRefusal({ db, caller }, { agentId: suspended.id, stops: 'list' });
}
