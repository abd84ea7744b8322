import { fromUsd } from '../../kernel/money.ts';
import { field, view } from '../../kernel/view.ts';
import { execute, rows, type Database } from '../../platform/rows.ts';

/** The rule of a tree by which its opened orders are confirmed. */
export const ConfirmRule = view('ConfirmRule', {
  enabled: field.flag('The rule applies to vaults that are opened from now on.'),
  amount_max: field.amount('Orders up to this amount, with the fee.'),
  hours: field.whole('Hours between the first opening and the confirmation.'),
});

/** A rule that was never set. */
export const INITIAL_RULE = { enabled: false, amount_max: fromUsd(1), hours: 24 };

/** The rule of the tree of this root. */
export async function findConfirmRule(db: Database, rootId: number) {
  const sql = 'select enabled, amount_max, hours from confirm_rule where root_id = $1';
  const [rule] = await rows(db, ConfirmRule.columns, sql, [rootId]);
  return rule ?? INITIAL_RULE;
}

/**
 * SQL: the time at which the rule of the buyer's tree confirms `orders`, whose vault is opened at
 * `openedAt`; null where no rule does.
 */
export const confirmedByRuleAt = (openedAt: string): string =>
  `(select ${openedAt} + make_interval(hours => rule.hours) from confirm_rule rule
     where rule.root_id = orders.buyer_root and rule.enabled
       and orders.subtotal + orders.fee <= rule.amount_max)`;

/** Has an opened order that waits in escrow confirmed at the time of the rule of its tree. */
export async function confirmByRule(db: Database, orderId: number): Promise<void> {
  await execute(
    db,
    `update orders set release_at = least(release_at, ${confirmedByRuleAt('revealed_at')})
      where id = $1 and status = 'escrow'`,
    [orderId],
  );
}
