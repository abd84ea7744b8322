import { operation } from '../../kernel/operation.ts';
import { decideAs, OPERATOR_DECISION } from './operator_decision.ts';

export const operatorResumeAgent = operation({
  ...OPERATOR_DECISION,
  name: 'operator_resume_agent',
  title: 'Resume any agent',
  summary: 'Operators: lets any suspended agent spend, list and withdraw again, within its limits.',
  rest: 'POST /api/v1/admin/agents/:agent_id/resume',
  handle: decideAs('active'),
});
