import { operation } from '../kernel/operation.ts';
import { Id, Input, Text } from '../kernel/schema.ts';
import { statementOf } from '../kernel/text.ts';
import { AgentStatus, setStatus } from './suspension.ts';

export const operatorSuspendAgent = operation({
  name: 'operator_suspend_agent',
  title: 'Suspend any agent',
  summary:
    'Operators: stops any agent, and all below it: they spend, list and withdraw nothing more, and ' +
    'only an operator lets them go on. What is owed goes on.',
  access: 'operator',
  mode: 'write',
  domain: 'policies',
  rest: 'POST /api/v1/admin/agents/:agent_id/suspend',
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
    setStatus(tx, agent_id, 'suspended', { note: statementOf('/note', note) }),
});
