import { operation } from '../kernel/operation.ts';
import { Id, Input } from '../kernel/schema.ts';
import { AgentStatus, setStatus } from './suspension.ts';

export const resumeAgent = operation({
  name: 'resume_agent',
  title: 'Resume a suspended agent',
  summary:
    'Lets an agent below yours spend, list and withdraw again, within its limits. Only the agent ' +
    'that suspended it, and those above that one, may do so. Free.',
  access: 'owner',
  ownerOf: 'agent_id',
  mode: 'write',
  domain: 'policies',
  rest: 'POST /agent/monitor/:agent_id/resume',
  alias: 'POST /api/v1/agent/monitor/:agent_id/resume',
  idempotent: true,
  refusals: ['forbidden'],
  input: Input({ agent_id: Id('An agent below yours. The root of a tree may name itself.') }),
  output: AgentStatus,
  handle: (tx, { agent_id }) => setStatus(tx, agent_id, 'active'),
});
