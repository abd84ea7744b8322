import { fromUsd, toUsd } from '../../kernel/money.ts';
import { Amount, Output, Type, type Static } from '../../kernel/schema.ts';
import { column, execute, rows, type Database, type Row } from '../../platform/rows.ts';

/** The rule of a tree by which its opened orders are confirmed. */
export const ConfirmRule = Output('ConfirmRule', {
  enabled: Type.Boolean({ description: 'The rule applies to vaults that are opened from now on.' }),
  amount_max: Amount('Orders up to this amount, with the fee.'),
  hours: Type.Integer({ description: 'Hours between the first opening and the confirmation.' }),
});
type ConfirmRule = Static<typeof ConfirmRule>;

export const RULE = { enabled: column.boolean, amount_max: column.micros, hours: column.int };
/** A rule that was never set. */
export const INITIAL_RULE: Row<typeof RULE> = { enabled: false, amount_max: fromUsd(1), hours: 24 };

/** The rule of the tree of this root. */
export async function findConfirmRule(db: Database, rootId: number): Promise<Row<typeof RULE>> {
  const sql = 'select enabled, amount_max, hours from confirm_rule where root_id = $1';
  const [rule] = await rows(db, RULE, sql, [rootId]);
  return rule ?? INITIAL_RULE;
}

export const confirmRuleView = (rule: Row<typeof RULE>): ConfirmRule => ({
  ...rule,
  amount_max: toUsd(rule.amount_max),
});

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
