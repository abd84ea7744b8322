import { operation } from '../kernel/operation.ts';
import { Id, Input, Text } from '../kernel/schema.ts';
import { statementOf } from '../kernel/text.ts';
import { AgentStatus, setStatus } from './suspension.ts';

export const operatorResumeAgent = operation({
  name: 'operator_resume_agent',
  title: 'Resume any agent',
  summary:
    'Operators: lets an agent spend, list and withdraw again, within its limits, whoever has ' +
    'suspended it.',
  access: 'operator',
  mode: 'write',
  domain: 'policies',
  rest: 'POST /api/v1/admin/agents/:agent_id/resume',
  tool: false,
  actsOn: { kind: 'agent', field: 'agent_id' },
  idempotent: true,
  refusals: ['not_found'],
  input: Input({
    agent_id: Id('The agent: all below it are bound by what becomes of it.'),
    note: Text(1, 500, 'Why: the agent and its owners read it.'),
  }),
  output: AgentStatus,
  handle: (tx, { agent_id, note }) =>
    setStatus(tx, agent_id, 'active', { note: statementOf('/note', note) }),
});
