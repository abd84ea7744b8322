import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Output, Time } from '../../kernel/schema.ts';
import { column, rows } from '../../platform/rows.ts';
import { findOwnClaim, leaseEnded } from './own_claims.ts';

/** Longest time a unit can be held in all, as a multiple of its lease. */
const LEASES_MAX = 8;

export const laborHeartbeat = operation({
  name: 'labor_heartbeat',
  title: 'Keep a unit for longer',
  summary: 'Renews the lease of a unit while it lasts: up to eight leases after you took it. Free.',
  phrasings: `
    I need more time for a unit; extend the lease of my claim; keep my claim alive, still
    working; my lease is about to expire; extend the time on a HIT; still labeling, keep it
    reserved; prolong the claim; need more time to label; extend my claim; do not let my unit
    expire; still busy with the microtask; renew lease; keep the unit reserved for me; I am
    slow, do not take my unit away; a few more minutes for my label; my time is running out;
    hold my unit; give me more time`,
  access: 'any',
  mode: 'write',
  rest: 'POST /api/v1/labor/:task_id/heartbeat',
  refusals: ['not_found', 'claim_expired', 'invalid_transition'],
  input: Input({
    task_id: Id('The labor task.'),
    claim_id: Id('A claim of yours that is not delivered.'),
  }),
  output: Output('LaborLease', {
    claim_id: Id('The claim.'),
    task_id: Id('The labor task.'),
    lease_until: Time('Last time to deliver it.'),
  }),

  async handle(tx, { task_id, claim_id }) {
    const { status } = await findOwnClaim(tx, { taskId: task_id, claimId: claim_id });
    const [claim] = await rows(
      tx.db,
      { due_at: column.time },
      `with kept as (
         update labor_claim c
            set due_at = least(now() + make_interval(secs => t.lease_seconds),
                               c.taken_at + make_interval(secs => ${LEASES_MAX} * t.lease_seconds))
           from labor_task t
          where c.id = $1 and t.id = c.task_id and c.status = 'claimed' and c.due_at > now()
         returning c.due_at)
       select due_at from kept`,
      [claim_id],
    );
    if (claim) return { claim_id, task_id, lease_until: claim.due_at.toISOString() };
    if (['claimed', 'expired', 'released'].includes(status)) throw leaseEnded(claim_id);
    throw new Refusal('invalid_transition', `Claim ${claim_id} was delivered before.`, { status });
  },
});
