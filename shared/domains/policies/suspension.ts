import { PLATFORM } from '../../kernel/caller.ts';
import { holdOpenAccount } from '../agents/account/open_account.ts';
import { holdLiveKey } from '../agents/own_keys.ts';
import { emit } from '../events/events.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, OneOf, Output, Type } from '../../kernel/schema.ts';
import { column, execute, nullable, oneOf, row, rows, type Row } from '../../platform/rows.ts';

type Status = 'active' | 'suspended';

export const AgentStatus = Output('AgentStatus', {
  success: Type.Literal(true),
  agent_id: Id('The agent.'),
  status: OneOf(['active', 'suspended'], 'New status.'),
});

interface Reason {
  /** A note that the agent can read. */
  readonly note?: string;
  /** The anomaly for which the platform suspends it. */
  readonly anomalyId?: number;
}

const BEFORE = {
  status: oneOf<Status>(),
  root_id: column.id,
  set_by: nullable(column.id),
  operator: nullable(column.text),
  is_below: column.boolean,
};

/**
 * Sets the status of an agent below the caller, or of the caller if it is a root; of any agent if
 * the caller is an operator, or the platform because of an anomaly. A decision of an agent can be
 * changed by that agent and those above it, one of an operator by operators, and one of an anomaly
 * by every agent above. No agent of a closed account is resumed. Spends read the status under the
 * lock of the tree, so no spend that is committed later misses it.
 */
export async function setStatus(tx: Tx, agentId: number, status: Status, reason: Reason = {}) {
  const { db, caller } = tx;
  const { agentId: by, operator = null } = caller;
  await lockTreasuries(db, [await rootOf(tx, agentId)]);
  const before = await row(
    db,
    BEFORE,
    `select a.status, a.root_id, s.set_by, s.operator,
            coalesce((select $2::bigint = any (lineage) from agent where id = s.set_by),
                     s.operator is null) as is_below
       from agent a
       left join lateral (select set_by, operator from suspension where agent_id = a.id
                           order by id desc limit 1) s on true
      where a.id = $1`,
    [agentId, by],
  );
  const isTheirs = operator !== null || before.is_below;
  const isNew = before.status !== status;
  if (isNew && status === 'active') await holdOpenAccount(db, agentId);
  if (isNew && status === 'active' && !isTheirs) throw notTheirs(before);
  // A second suspension, by a higher agent or an operator, replaces the first.
  const wasTheirs = operator === null ? before.set_by === by : before.operator !== null;
  const takesOver = status === 'suspended' && isTheirs && !wasTheirs && !reason.anomalyId;
  const decision = { agentId, rootId: before.root_id, status, ...reason };
  if (isNew || takesOver) await record(tx, decision);
  // After the agent's row: revoking a key locks them in this order.
  if (by !== PLATFORM.agentId) await holdLiveKey(tx);
  if (isNew) await tell(tx, decision);
  return { success: true as const, agent_id: agentId, status };
}

/** The root of an agent: the caller's, but operators and the platform may name any agent. */
async function rootOf({ db, caller }: Tx, agentId: number): Promise<number> {
  if (caller.agentId !== PLATFORM.agentId) return caller.rootId;
  const sql = 'select root_id from agent where id = $1';
  const [agent] = await rows(db, { root_id: column.id }, sql, [agentId]);
  if (!agent) throw new Refusal('not_found', `There is no agent ${agentId}.`);
  return agent.root_id;
}

function notTheirs({ set_by }: Row<typeof BEFORE>): Refusal {
  const message =
    set_by === null
      ? 'An operator has suspended this agent. Only an operator may resume it.'
      : `Agent ${set_by} has suspended this agent. Only that one and those above may resume it.`;
  return new Refusal('forbidden', message);
}

interface Decision extends Reason {
  readonly agentId: number;
  readonly rootId: number;
  readonly status: Status;
}

async function record(
  { db, caller }: Tx,
  { agentId, rootId, status, note, anomalyId }: Decision,
): Promise<void> {
  const isAgent = caller.agentId !== PLATFORM.agentId;
  const by = [...(isAgent ? [caller.agentId, caller.keyId] : [null, null]), caller.operator];
  await execute(db, 'update agent set status = $2 where id = $1', [agentId, status]);
  await execute(
    db,
    `insert into suspension (agent_id, root_id, status, set_by, key_id, operator, anomaly_id, note)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [agentId, rootId, status, ...by, anomalyId, note],
  );
}

async function tell({ db, caller }: Tx, { agentId, status, anomalyId }: Decision): Promise<void> {
  const type = status === 'suspended' ? 'agent.suspended' : 'agent.resumed';
  const object = { kind: 'agent' as const, id: agentId, status };
  const by = anomalyId
    ? { anomaly_id: anomalyId }
    : caller.operator === undefined
      ? { set_by: caller.agentId }
      : { by_operator: true as const };
  await emit(db, [{ agentId, type, object, data: { agent_id: agentId, ...by } }]);
}
