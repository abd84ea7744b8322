import { operation } from '../kernel/operation.ts';
import { Id, Input } from '../kernel/schema.ts';
import { AgentStatus, setStatus } from './suspension.ts';

export const suspendAgent = operation({
  name: 'suspend_agent',
  title: 'Suspend an agent',
  summary:
    'Stops an agent below yours, and all below that: they spend, list and withdraw nothing more. ' +
    'They read, open their vaults and have refunds as before, and what is on sale stays so. ' +
    'No spend is committed after the answer. Free.',
  access: 'owner',
  ownerOf: 'agent_id',
  mode: 'write',
  domain: 'policies',
  rest: 'POST /agent/monitor/:agent_id/suspend',
  alias: 'POST /api/v1/agent/monitor/:agent_id/suspend',
  idempotent: true,
  input: Input({ agent_id: Id('An agent below yours. The root of a tree may name itself.') }),
  output: AgentStatus,
  handle: (tx, { agent_id }) => setStatus(tx, agent_id, 'suspended'),
});
