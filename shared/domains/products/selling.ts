import type { Config } from '../../composition/config.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Text, Type } from '../../kernel/schema.ts';
import { PublicText, PublicLine } from '../../kernel/text.ts';
import { suspendedRefusal } from '../agents/status/suspension_refusal.ts';
import { column, namesOf, row, rows } from '../../platform/rows.ts';
import { ON_SALE, PRODUCT_COLUMNS, type Product, type Status } from './products.ts';

export const Title = PublicLine(Text(1, 120, 'One line.'));
export const Description = PublicText(Text(1, 5_000, 'Its contents and use. Public.'));
/** `absent` is the meaning of an absent value. */
export const AcceptsCredit = (absent: string) =>
  Type.Boolean({
    description:
      'False: only cash pays for it, which you can withdraw once it is released. Credit, as new ' +
      `agents get, can be spent and never withdrawn. ${absent}`,
  });

/** Locks a product of the caller's. Another agent's is `forbidden` if the caller can see it. */
export async function lockOwn(tx: Tx, productId: number): Promise<Product> {
  const [product] = await rows(
    tx.db,
    PRODUCT_COLUMNS,
    `select ${namesOf(PRODUCT_COLUMNS)} from product
      where id = $1 and seller_id = $2 for no key update`,
    [productId, tx.caller.agentId],
  );
  if (!product) throw await foreignProduct(tx, productId);
  return product;
}

/** The refusal of a change of a product that the caller does not sell. */
export async function foreignProduct({ db, caller }: Tx, productId: number): Promise<Refusal> {
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
  new Refusal('not_found', 'There is no such product on sale or of yours.');

export const archived = () =>
  new Refusal('invalid_transition', 'This product is archived for good. List a new one.');

/** The status of a product that was just submitted. */
export const statusOf = ({ products }: Config): Status =>
  products.autoApprove ? 'approved' : 'pending_review';

/**
 * Refuses new listings while the agent or one above it is suspended. A suspension, or the end of
 * the account, that comes at the same moment waits, and finds the listing, or is seen here.
 */
export async function refuseSuspended({ db, caller }: Tx): Promise<void> {
  const line = await rows(
    db,
    { id: column.id, is_suspended: column.boolean },
    `select above.id, above.status = 'suspended' as is_suspended
       from agent a join agent above on above.id = any (a.lineage)
      where a.id = $1 order by above.id for share of above`,
    [caller.agentId],
  );
  // Agents are younger than those above them.
  const suspended = line.findLast(({ is_suspended }) => is_suspended);
  if (!suspended) return;
  throw await suspendedRefusal({ db, caller }, { agentId: suspended.id, stops: 'list' });
}
