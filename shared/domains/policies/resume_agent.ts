import { operation } from '../../kernel/operation.ts';
import { Id, Input } from '../../kernel/schema.ts';
import { AgentStatus, setStatus } from './suspension.ts';

export const resumeAgent = operation({
  name: 'resume_agent',
  title: 'Resume a suspended agent',
  summary:
    'Lets an agent below yours spend, list and withdraw again, within its limits. Only the agent ' +
    'that suspended it, and agents above that one, may do so. Free.',
  phrasings: `
    unfreeze an agent; let a suspended bot work again; reactivate my child agent; unlock my bot
    again; lift the suspension; let agent 9 spend once more; reinstate a frozen subaccount;
    unblock an agent; restart a suspended bot; allow it to spend again; enable the agent again;
    end the suspension; reactivate; turn my bot on again; it may go on; give the rights back;
    the agent is fine, let it run`,
  access: 'owner',
  owners: { ownerOf: 'agent_id' },
  mode: 'write',
  rest: 'POST /agent/monitor/:agent_id/resume',
  bindings: { alias: 'POST /api/v1/agent/monitor/:agent_id/resume' },
  effects: { idempotent: true },
  refusals: ['forbidden'],
  input: Input({ agent_id: Id('An agent below yours. The root of a tree may name itself.') }),
  output: AgentStatus,
  handle: (tx, { agent_id }) => setStatus(tx, agent_id, 'active'),
});
