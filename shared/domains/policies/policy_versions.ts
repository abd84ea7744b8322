import { emit, eventsFor } from '../events/events.ts';
import type { Tx } from '../../kernel/tx.ts';
import { execute, namesOf } from '../../platform/rows.ts';
import { POLICY_COLUMNS, type Policy } from './policy.ts';

interface NewVersion {
  readonly agentId: number;
  readonly status: string;
  readonly version: number;
  readonly policy: Policy;
  /** The approval that the change needed. */
  readonly approvalId?: number | undefined;
}

/** Records the new policy of an agent and the caller that has set it. */
export async function recordVersion(
  { db, caller, key }: Tx,
  { agentId, status, version, policy, approvalId }: NewVersion,
): Promise<void> {
  const names = namesOf(POLICY_COLUMNS);
  const values = [
    agentId,
    version,
    policy.governance_level,
    policy.max_spend_per_tx,
    policy.daily_spend_limit,
    policy.approval_threshold,
    policy.new_seller_threshold,
    policy.allowed_product_types,
    policy.auto_suspend_on_anomaly,
    policy.min_seller_buyers,
  ];
  await execute(
    db,
    `insert into policy (agent_id, version, ${names}, root_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (agent_id) do update
       set (version, ${names}) = row ($2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [...values, caller.rootId],
  );
  // A web session, signed in by a password, has no key.
  const keyId = approvalId ? null : caller.keyId || null;
  await execute(
    db,
    `insert into policy_version
       (agent_id, version, ${names}, set_by, key_id, approval_id, call_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [...values, caller.agentId, keyId, approvalId ?? null, key],
  );
  // The root reads the events of its whole tree.
  const setter = caller.agentId === caller.rootId ? null : caller.agentId;
  const object = { kind: 'agent' as const, id: agentId, status };
  const data = { agent_id: agentId, set_by: caller.agentId, version };
  const type = 'agent.policy_changed';
  await emit(db, eventsFor([agentId, setter], { type, object, data }));
}
