import { giveBack, isTaken, type Limit } from '../../../kernel/limits/limits.ts';
import type { Micros } from '../../../kernel/money.ts';
import type { Tx } from '../../../kernel/tx.ts';
import { column, execute, row, type Row } from '../../../platform/rows.ts';
import { lockTreasuries } from '../../ledger/ledger.ts';
import { priceOf } from '../order.ts';
import { reserveUnits, takeUnits } from '../purchase/held_units.ts';
import { freeLapsedUnits } from '../purchase/free_units.ts';
import type { Purchasable } from '../purchase/purchasable.ts';
import { heldBy } from './quote.ts';

/** Seconds that a quote holds: enough for a model to decide, too few to keep goods from others. */
const SECONDS = 60;
/** Maximum open quotes of a tree of agents. */
const TREE_MAX = 20;
/** Maximum open quotes of a tree for one product. */
const PRODUCT_MAX = 3;

/**
 * Limits the quotes with units that a tree lets go: at a minute each, no tree keeps a product from
 * others for more than an hour of a day. A purchase by a quote gives its use back.
 */
export const HOLDING_QUOTES: Limit = {
  kind: 'quotes',
  max: 50,
  windowSeconds: 86_400,
  reached: 'Your tree of agents let fifty quotes of this product go within a day.',
};

/** Reasons why a preview holds nothing. */
export const NOT_HELD = [
  'not_asked',
  'no_buy_scope',
  'not_affordable',
  'tree_limit',
  'product_limit',
  'units_limit',
  'daily_limit',
] as const;
export type NotHeld = (typeof NOT_HELD)[number];

/** Locks the caller's tree and then the product, so that what is read of them is what is held. */
export async function lockForQuote({ db, caller }: Tx, productId: number): Promise<void> {
  await lockTreasuries(db, [caller.rootId]);
  await execute(db, 'select from product where id = $1 for no key update', [productId]);
}

/** The purchase to hold, and the money that its tree has for it. */
interface Wanted {
  readonly product: Purchasable;
  readonly quantity: number;
  readonly balance: Micros;
}

const HELD_QUOTE = { id: column.id, expires_at: column.time };
export type HeldQuote = Row<typeof HELD_QUOTE>;

/** Holds price, terms and units, after `lockForQuote`, or says why not. */
export async function holdQuote(
  tx: Tx,
  { product, quantity, balance }: Wanted,
): Promise<HeldQuote | NotHeld> {
  const { db, caller } = tx;
  const { unitPrice, subtotal, fee, total } = priceOf(product.price, quantity);
  if ((await heldBy(db, caller.rootId)) + total > balance) return 'not_affordable';
  const open = await row(
    db,
    { of_tree: column.int, of_product: column.int },
    `select count(*) as of_tree, count(*) filter (where product_id = $2) as of_product
       from quote where root_id = $1 and status = 'open' and expires_at > now()`,
    [caller.rootId, product.id],
  );
  if (open.of_tree >= TREE_MAX) return 'tree_limit';
  if (open.of_product >= PRODUCT_MAX) return 'product_limit';
  const holds = product.stock_kind !== 'unlimited';
  const units = holds ? await unitsFor(tx, product, quantity) : [];
  if (typeof units === 'string') return units;
  const quote = await row(
    db,
    HELD_QUOTE,
    `insert into quote (agent_id, root_id, product_id, version, dataset_version, quantity,
                        unit_price, subtotal, fee, release_hours, accepts_credit, holds, expires_at)
     select $1, $2, p.id, p.version, (select version from dataset where product_id = p.id), $4, $5,
            $6, $7, p.release_hours, p.accepts_credit, $8, now() + interval '${SECONDS} seconds'
       from product p where p.id = $3
     returning id, expires_at`,
    [caller.agentId, caller.rootId, product.id, quantity, unitPrice, subtotal, fee, holds],
  );
  await reserveUnits(db, quote.id, units);
  return quote;
}

/** Takes units for a quote, or says which limit they would exceed. */
async function unitsFor(
  tx: Tx,
  product: Purchasable,
  quantity: number,
): Promise<readonly number[] | NotHeld> {
  const { db, caller } = tx;
  await freeLapsedUnits(db, product.id);
  // Half of the units, rounded up, so that a single one can be held.
  const { are_left } = await row(
    db,
    { are_left: column.boolean },
    `select case p.stock_kind when 'serial_pool' then (
              select count(*) from (select from stock where product_id = p.id
                and status = 'available' limit held.units + 2 * $2 - 1) unit)
            else p.quantity end >= held.units + 2 * $2 - 1 as are_left
       from product p cross join (
         select coalesce(sum(quantity), 0)::int as units from quote
          where product_id = $1 and holds) held
      where p.id = $1`,
    [product.id, quantity],
  );
  if (!are_left) return 'units_limit';
  const holder = { tree: caller.rootId, of: `product ${product.id}` };
  if (!(await isTaken(tx, HOLDING_QUOTES, holder))) return 'daily_limit';
  const units = await takeUnits(db, product, quantity);
  if (units) return units;
  await giveBack(tx, HOLDING_QUOTES, holder);
  return 'units_limit'; // Others are buying them at this moment.
}
