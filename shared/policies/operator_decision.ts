import type { Tx } from '../kernel/operation.ts';
import { Id, Input, Text, type Static } from '../kernel/schema.ts';
import { Shown } from '../kernel/text.ts';
import { AgentStatus, setStatus } from './suspension.ts';

const Decision = Input({
  agent_id: Id('The agent: all below it are bound by what becomes of it.'),
  note: Shown(Text(1, 500, 'Why: the agent and its owners read it.')),
});

/** What the operations share by which operators suspend any agent and let it go on. */
export const OPERATOR_DECISION = {
  access: 'operator',
  mode: 'write',
  domain: 'policies',
  tool: false,
  actsOn: { kind: 'agent', field: 'agent_id' },
  idempotent: true,
  refusals: ['not_found'],
  input: Decision,
  output: AgentStatus,
} as const;

export const decideAs =
  (status: 'active' | 'suspended') =>
  (tx: Tx, { agent_id, note }: Static<typeof Decision>) =>
    setStatus(tx, agent_id, status, { note });
