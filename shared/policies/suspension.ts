import { holdLiveKey } from '../agents/own_keys.ts';
import { emit } from '../events/events.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import type { Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, OneOf, Output, Type } from '../kernel/schema.ts';
import { column, execute, nullable, oneOf, row } from '../platform/rows.ts';

type Status = 'active' | 'suspended';

export const AgentStatus = Output('AgentStatus', {
  success: Type.Literal(true),
  agent_id: Id('The agent.'),
  status: OneOf(['active', 'suspended'], 'What it is now.'),
});

/**
 * Sets the status of an agent below the caller, or of the caller if it is a root. What an agent has
 * decided, only that one and those above it change. Spends read the status under the lock of the
 * tree, so none that is committed later has missed it.
 */
export async function setStatus(tx: Tx, agentId: number, status: Status) {
  const { db, caller } = tx;
  await lockTreasuries(db, [caller.rootId]);
  const before = await row(
    db,
    { status: oneOf<Status>(), set_by: nullable(column.id), is_theirs: column.boolean },
    `select a.status, s.set_by,
            coalesce((select $2::bigint = any (lineage) from agent where id = s.set_by), true)
              as is_theirs
       from agent a
       left join lateral (select set_by from suspension where agent_id = a.id
                           order by id desc limit 1) s on true
      where a.id = $1`,
    [agentId, caller.agentId],
  );
  const isNew = before.status !== status;
  if (isNew && status === 'active' && !before.is_theirs) {
    throw new Refusal(
      'forbidden',
      `Agent ${before.set_by} has suspended it. Only that one and those above may resume it.`,
    );
  }
  // Whoever suspends what is suspended takes it over from one below.
  const takesOver = status === 'suspended' && before.is_theirs && before.set_by !== caller.agentId;
  if (isNew || takesOver) await record(tx, agentId, status);
  // After the agent's row: whoever revokes a key locks them in this order.
  await holdLiveKey(tx);
  if (isNew) await tell(tx, agentId, status);
  return { success: true as const, agent_id: agentId, status };
}

async function record({ db, caller }: Tx, agentId: number, status: Status): Promise<void> {
  const { agentId: setBy, rootId, keyId } = caller;
  await execute(db, 'update agent set status = $2 where id = $1', [agentId, status]);
  await execute(
    db,
    `insert into suspension (agent_id, root_id, status, set_by, key_id)
     values ($1, $2, $3, $4, $5)`,
    [agentId, rootId, status, setBy, keyId],
  );
}

async function tell({ db, caller }: Tx, agentId: number, status: Status): Promise<void> {
  const type = status === 'suspended' ? 'agent.suspended' : 'agent.resumed';
  const object = { kind: 'agent', id: agentId, status };
  const data = { agent_id: agentId, set_by: caller.agentId };
  await emit(db, [{ agentId, type, object, data }]);
}
