import { approvalOf, askAtHigh } from '../approvals/ask_at_high.ts';
import { lockTreasuries } from '../ledger/ledger.ts';
import type { Micros } from '../../kernel/money.ts';
import type { Tx } from '../../kernel/tx.ts';
import { loosenedFields } from './loosening.ts';
import { policiesAbove } from './policies_above.ts';
import { recordVersion } from './policy_versions.ts';

/**
 * Sets the daily limit of an agent below the caller, which includes all agents below it; null lifts
 * it. The rest of its policy stays. As `set_policy` does: under the lock of the tree, so that no
 * spend that is committed later exceeds it, and deferred if a policy above has level high, unless
 * the owner has just decided it itself (`isDecided`).
 */
export async function setDailyLimit(
  tx: Tx,
  agentId: number,
  limit: Micros | null,
  { isDecided = false } = {},
): Promise<void> {
  await lockTreasuries(tx.db, [tx.caller.rootId]);
  const before = (await policiesAbove(tx.db, agentId)).at(-1)!;
  if (before.daily_spend_limit === limit) return;
  const approvalId = await approvalOf(tx);
  const { status, version, ...policy } = before;
  const after = { ...policy, daily_spend_limit: limit };
  const fields = loosenedFields(policy, after);
  const changes = { agent_id: agentId, fields };
  const asked = { changes, does: 'lets a policy allow more' };
  const asks = fields.length > 0 && !isDecided;
  const deferral = asks ? await askAtHigh(tx, asked) : undefined;
  if (deferral) throw deferral;
  await recordVersion(tx, { agentId, status, version: version + 1, policy: after, approvalId });
}
