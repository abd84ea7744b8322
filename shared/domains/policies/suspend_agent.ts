import { operation } from '../../kernel/operation.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { AgentStatus, setStatus } from './suspension.ts';

export const suspendAgent = operation({
  name: 'suspend_agent',
  title: 'Suspend an agent',
  summary:
    'Stops an agent below yours and all below it: they can spend, list and withdraw nothing. ' +
    'They can still read, open vaults and be refunded, and their products stay on sale. ' +
    'No spend is committed after the answer. Free.',
  phrasings: `
    freeze or block a bot of mine; stop a rogue child agent; disable an agent at once; my bot
    went rogue, stop it; kill switch for a subagent; block all spending of agent 9; lock a child
    account right now; stop an agent; block my bot; pause a child; shut down a subagent; disable
    agent; emergency stop; prevent an agent from buying; my agent was hacked; shut it down; turn
    my bot off; my agent went crazy; take away the rights of a bot; do not let it do anything;
    stop that agent now`,
  access: 'owner',
  owners: { ownerOf: 'agent_id' },
  mode: 'write',
  rest: 'POST /agent/monitor/:agent_id/suspend',
  bindings: { alias: 'POST /api/v1/agent/monitor/:agent_id/suspend' },
  effects: { idempotent: true },
  input: Input({ agent_id: Id('An agent below yours. The root of a tree may name itself.') }),
  output: AgentStatus,
  handle: (tx, { agent_id }) => setStatus(tx, agent_id, 'suspended'),
});
