import { operation } from '../../kernel/operation.ts';
import { Input } from '../../kernel/schema.ts';
import { ConfirmRule, findConfirmRule } from './confirm_rule.ts';

export const getConfirmRule = operation({
  name: 'get_confirm_rule',
  title: 'Get the rule for confirming',
  summary: 'Shows when orders of your agents are confirmed by themselves. Free.',
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/orders/confirm-rule',
  bindings: { tool: false },
  input: Input({}),
  output: ConfirmRule.schema,

  handle: async ({ db, caller }) => ConfirmRule.show(await findConfirmRule(db, caller.rootId)),
});
