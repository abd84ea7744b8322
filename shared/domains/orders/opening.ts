import { take, type Limit } from '../../kernel/limits/limits.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, execute, rows, type Database } from '../../platform/rows.ts';
import { confirmedByRuleAt } from './confirm_rule.ts';
import { checkGoods } from './goods/check_goods.ts';
import type { Order } from './order.ts';
import { notifyParties } from './order_events.ts';

type OpenedOrder = Pick<Order, 'id' | 'buyer_id' | 'seller_id' | 'status' | 'revealed_at'>;

/** A row of an opening is kept for 400 days, and costs nothing: this bounds what a tree makes. */
const OPENINGS: Limit = {
  kind: 'openings',
  max: 20_000,
  windowSeconds: 86_400,
  reached:
    'Your tree of agents opened vaults and datasets 20 000 times within a day. Keep what you ' +
    'opened instead of opening it again.',
};

/** Counts a repeated opening. The first one of what was bought is paid for, and always possible. */
export const takeOpening = (tx: Pick<Tx, 'db' | 'caller' | 'onRateLimit'>): Promise<void> =>
  take(tx, OPENINGS, { tree: tx.caller.rootId });

/** SQL: whether the owner of `orders` has a check of these goods. */
const IS_CHECKED = `exists (
  select from goods_check g
   where (g.root_id, g.product_id) = (orders.buyer_root, orders.product_id))`;

/**
 * Records that the caller opens the goods of an order; the first opening ends the right to return
 * them unseen, a rule for confirming counts from it, and a check of its owner judges the goods: the
 * rule then waits for the verdict, because it must pay for nothing that fails. The order is locked.
 */
export async function recordOpening(
  tx: Pick<Tx, 'db' | 'caller' | 'requestId' | 'onRateLimit' | 'enqueue'>,
  order: OpenedOrder,
): Promise<void> {
  const { db, caller, requestId } = tx;
  const first = order.revealed_at === null;
  if (!first) await takeOpening(tx);
  const opened = await rows(
    db,
    { is_checked: column.boolean },
    `with opened as (
       insert into opening (agent_id, root_id, object_kind, object_id, first, request_id)
       values ($1, $2, 'order', $3, $4, $5) returning first, opened_at)
     update orders set revealed_at = opened_at,
            release_at = least(release_at,
              case when not ${IS_CHECKED} then ${confirmedByRuleAt('opened_at')} end)
       from opened where id = $3 and first
     returning ${IS_CHECKED} as is_checked`,
    [caller.agentId, caller.rootId, order.id, first, requestId],
  );
  if (!first) return;
  if (opened[0]!.is_checked)
    await tx.enqueue(checkGoods, { order_id: order.id }, { cause: 'goods' });
  await notifyParties(db, [{ order, type: 'order.revealed' }]);
}

/** Hours that a buyer has left, at least, after an attempt to let it in. */
const ACCESS_HOURS = 48;

/**
 * Puts off the payment of a seller who could not let a paid buyer in, so that the buyer has time to
 * look at what it gets, or to complain. The order is locked.
 */
export async function deferRelease(db: Database, { id }: Pick<Order, 'id'>): Promise<void> {
  await execute(
    db,
    `update orders set release_at = greatest(release_at, now() + make_interval(hours => $2))
      where id = $1 and status in ('escrow', 'disputed')`,
    [id, ACCESS_HOURS],
  );
}
