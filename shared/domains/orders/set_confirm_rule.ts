import { fromUsd } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import { Input, Type, Usd } from '../../kernel/schema.ts';
import { row } from '../../platform/rows.ts';
import { ConfirmRule, INITIAL_RULE } from './confirm_rule.ts';

export const setConfirmRule = operation({
  name: 'set_confirm_rule',
  title: 'Set the rule for confirming',
  summary:
    'Has small orders of your agents confirmed by themselves: their sellers are paid some hours ' +
    'after the vault was first opened, instead of at the end of the escrow. Until then they can ' +
    'be disputed. It applies to vaults that are opened later. Free.',
  access: 'owner',
  mode: 'write',
  rest: 'PUT /api/v1/orders/confirm-rule',
  bindings: { tool: false },
  effects: { idempotent: true },
  input: Input({
    enabled: Type.Boolean({ description: 'false: no order is confirmed by itself.' }),
    amount_max: Type.Optional(Usd('Orders up to this amount, with the fee; initially 1.', 0.01)),
    hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 72,
        description: 'Hours after the first opening of the vault; initially 24.',
      }),
    ),
  }),
  output: ConfirmRule.schema,

  async handle(tx, { enabled, amount_max: max, hours }) {
    const amountMax = max === undefined ? null : fromUsd(max);
    const rule = await row(
      tx.db,
      ConfirmRule.columns,
      `insert into confirm_rule as known (root_id, enabled, amount_max, hours)
       values ($1, $2, coalesce($3::bigint, $5), coalesce($4::smallint, $6))
       on conflict (root_id) do update
         set enabled = $2, amount_max = coalesce($3, known.amount_max),
             hours = coalesce($4, known.hours)
       returning enabled, amount_max, hours`,
      [
        tx.caller.rootId,
        enabled,
        amountMax,
        hours ?? null,
        INITIAL_RULE.amount_max,
        INITIAL_RULE.hours,
      ],
    );
    return ConfirmRule.show(rule);
  },
});
