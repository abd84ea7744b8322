import type { Tx } from '../../kernel/tx.ts';
import { Id, Input, Text, type Static } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { AgentStatus, setStatus } from './suspension.ts';

const Decision = Input({
  agent_id: Id('The agent. Its status binds all below it.'),
  note: PublicText(Text(1, 500, 'The reason. The agent and its owners read it.')),
});

/** Common fields of the operations that suspend and resume any agent. */
export const OPERATOR_DECISION = {
  access: 'operator',
  mode: 'write',
  bindings: { tool: false },
  effects: { actsOn: { kind: 'agent', field: 'agent_id' }, idempotent: true },
  refusals: ['not_found', 'invalid_transition'],
  input: Decision,
  output: AgentStatus,
} as const;

export const decideAs =
  (status: 'active' | 'suspended') =>
  (tx: Tx, { agent_id, note }: Static<typeof Decision>) =>
    setStatus(tx, agent_id, status, { note });
