import { fromUsd } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import { Input, Nullable, Type, Usd } from '../../kernel/schema.ts';
import { row } from '../../platform/rows.ts';
import { CallAlert, CALLS_MIN } from './call_alert.ts';

export const setCallAlert = operation({
  name: 'set_call_alert',
  title: 'Set the alert of calls',
  summary:
    'Has you told, by the events agent.calls_failing and agent.calls_costly and by mail, when too ' +
    'many calls of your agents in an hour are errors, or they cost too much. Each once an hour. ' +
    'Free.',
  access: 'owner',
  mode: 'write',
  rest: 'PUT /api/v1/requests/alert',
  bindings: { tool: false },
  effects: { idempotent: true },
  input: Input({
    errors_percent: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: 100,
          description: 'Share of errors above which you are told; absent or null: never.',
        }),
      ),
    ),
    calls_min: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: `Calls in an hour below which errors are not told; ${CALLS_MIN} if absent.`,
      }),
    ),
    cost_above: Type.Optional(
      Nullable(Usd('Cost of an hour above which you are told; absent or null: never.', 0.000001)),
    ),
  }),
  output: CallAlert.schema,

  async handle(tx, { errors_percent = null, calls_min = CALLS_MIN, cost_above = null }) {
    const cost = cost_above === null ? null : fromUsd(cost_above);
    const alert = await row(
      tx.db,
      CallAlert.columns,
      `insert into call_alert as known (root_id, errors_percent, calls_min, cost_above)
       values ($1, $2, $3, $4)
       on conflict (root_id) do update
         set errors_percent = $2, calls_min = $3, cost_above = $4,
             errors_told_at = case when (known.errors_percent, known.calls_min) = ($2, $3)
                                   then known.errors_told_at end,
             cost_told_at = case when known.cost_above = $4 then known.cost_told_at end
       returning errors_percent, calls_min, cost_above`,
      [tx.caller.rootId, errors_percent, calls_min, cost],
    );
    return CallAlert.show(alert);
  },
});
