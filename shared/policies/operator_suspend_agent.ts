import { operation } from '../kernel/operation.ts';
import { decideAs, OPERATOR_DECISION } from './operator_decision.ts';

export const operatorSuspendAgent = operation({
  ...OPERATOR_DECISION,
  name: 'operator_suspend_agent',
  title: 'Suspend any agent',
  summary:
    'Operators: stops any agent, and all below it: they spend, list and withdraw nothing more, and ' +
    'only an operator lets them go on. What is owed goes on.',
  rest: 'POST /api/v1/admin/agents/:agent_id/suspend',
  handle: decideAs('suspended'),
});
