import { operation } from '../../../kernel/operation.ts';
import { Id, Input, OneOf, Output } from '../../../kernel/schema.ts';
import { column, execute, jsonOf, row, rows } from '../../../platform/rows.ts';
import { emit } from '../../events/events.ts';
import type { ResultCheck } from '../../verification/result_check.ts';
import { VERIFICATION_MS_MAX, type Verdict } from '../../verification/verification_gateway.ts';
import { confirmByRule } from '../confirm_rule.ts';
import { ORDER, ORDER_COLUMNS } from '../order.ts';
import { deliveredItems } from './delivered_items.ts';

/** Opened goods, and the check that they have to pass. */
interface Goods {
  readonly check: ResultCheck;
  readonly items: readonly string[];
  readonly tree: number;
}

interface Judged {
  readonly check: ResultCheck;
  readonly failures: Verdict['failures'];
}

/**
 * Judges the goods of an order by the check of its buyer's owner. What passes is paid some hours
 * later by `release_due_orders`, which leaves out what is disputed by then. What fails is paid at
 * the end of its escrow, and no sooner: a rule for small orders pays for the others only.
 */
export const checkGoods = operation({
  name: 'check_goods',
  title: 'Check goods',
  summary: "Internal: judges delivered goods by the check of their buyer's owner.",
  access: 'operator',
  mode: 'job',
  queue: 'network',
  gatherMs: VERIFICATION_MS_MAX,
  input: Input({ order_id: Id('The order.') }),
  output: Output({ outcome: OneOf(['passed', 'failed', 'none'], 'The result.') }),

  async prepare(tx, { order_id }): Promise<Goods | undefined> {
    const [found] = await rows(
      tx.db,
      { ...ORDER, check: jsonOf<ResultCheck>(), buyer_root: column.id },
      `select ${ORDER_COLUMNS}, o.buyer_root, g.judged_by as check
         from orders o
         join goods_check g on (g.root_id, g.product_id) = (o.buyer_root, o.product_id)
        where o.id = $1 and o.status = 'escrow'`,
      [order_id],
    );
    if (!found) return undefined;
    return { check: found.check, items: await deliveredItems(tx, found), tree: found.buyer_root };
  },

  async gather({ verification }, _input, _call, goods): Promise<Judged | undefined> {
    if (!goods) return undefined;
    const { check, items, tree } = goods;
    const failing = await verification.findFailing(check, items, { tree });
    return { check, failures: failing?.failures ?? [] };
  },

  async handle(tx, { order_id }, judged) {
    const order = await row(
      tx.db,
      { ...ORDER, buyer_root: column.id },
      `select ${ORDER_COLUMNS}, o.buyer_root from orders o where id = $1 for no key update`,
      [order_id],
    );
    if (order.status !== 'escrow') return { outcome: 'none' as const };
    // A check that was changed or ended meanwhile decides nothing.
    const [check] = await rows(
      tx.db,
      { amount_max: column.micros, hours: column.int },
      `select amount_max, hours from goods_check
        where root_id = $1 and product_id = $2 and judged_by = $3::jsonb for share`,
      [order.buyer_root, order.product_id, judged ? JSON.stringify(judged.check) : null],
    );
    if (!judged || !check) {
      await confirmByRule(tx.db, order_id);
      return { outcome: 'none' as const };
    }
    const passes = judged.failures.length === 0;
    const confirms = passes && order.subtotal + order.fee <= check.amount_max;
    const isNew = await execute(
      tx.db,
      `insert into goods_verdict (order_id, buyer_id, passes, failures, confirms, root_id)
       values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning order_id`,
      [
        order_id,
        order.buyer_id,
        passes,
        JSON.stringify(judged.failures),
        confirms,
        passes ? null : order.buyer_root,
      ],
    );
    if (isNew === 0) return { outcome: 'none' as const };
    if (passes) await confirmByRule(tx.db, order_id);
    if (confirms) {
      await execute(
        tx.db,
        `update orders set release_at = least(release_at, now() + make_interval(hours => $2))
          where id = $1`,
        [order_id, check.hours],
      );
    }
    const type = passes ? 'order.goods_passed' : 'order.goods_failed';
    const object = { kind: 'order' as const, id: order_id, status: order.status };
    await emit(tx.db, [{ agentId: order.buyer_id, type, object, data: { order_id } }]);
    return { outcome: passes ? ('passed' as const) : ('failed' as const) };
  },
});
