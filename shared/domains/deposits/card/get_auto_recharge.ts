import { operation } from '../../../kernel/operation.ts';
import { Input } from '../../../kernel/schema.ts';
import { AutoRecharge, autoRechargeOf } from './auto_recharge.ts';

export const getAutoRecharge = operation({
  name: 'get_auto_recharge',
  title: 'Get auto-recharge',
  summary: 'Shows the settings of auto-recharge and the charges of this month. Free.',
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/wallet/auto-recharge',
  bindings: { tool: false },
  input: Input({}),
  output: AutoRecharge,

  handle: (tx) => autoRechargeOf(tx.db, tx.caller.rootId),
});
