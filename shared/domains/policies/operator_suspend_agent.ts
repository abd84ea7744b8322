import { operation } from '../../kernel/operation.ts';
import { decideAs, OPERATOR_DECISION } from './operator_decision.ts';

export const operatorSuspendAgent = operation({
  ...OPERATOR_DECISION,
  name: 'operator_suspend_agent',
  title: 'Suspend any agent',
  summary:
    'Operators: stops any agent and all below it: they can spend, list and withdraw nothing ' +
    'until an operator resumes it. What they owe is still paid.',
  rest: 'POST /api/v1/admin/agents/:agent_id/suspend',
  handle: decideAs('suspended'),
});
