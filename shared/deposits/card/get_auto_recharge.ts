import { operation } from '../../kernel/operation.ts';
import { Input } from '../../kernel/schema.ts';
import { AutoRecharge, autoRechargeOf } from './auto_recharge.ts';

export const getAutoRecharge = operation({
  name: 'get_auto_recharge',
  title: 'Get auto-recharge',
  summary: 'Shows when your card is charged by itself, and what it was charged this month. Free.',
  access: 'read',
  mode: 'read',
  domain: 'deposits',
  rest: 'GET /api/v1/wallet/auto-recharge',
  tool: false,
  input: Input({}),
  output: AutoRecharge,

  handle: (tx) => autoRechargeOf(tx.db, tx.caller.rootId),
});
