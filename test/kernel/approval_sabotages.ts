import type { Sabotage } from './sabotage.ts';

const WAITS =
  'each call that waits for an owner has its approval, and each pending approval its call';
const ENDS = 'each call that was not approved has ended so';
const PAID = 'nothing was paid for a call without the approvals that it asked for, or above them';
const SET = 'no policy was set by a call that an owner had to approve, and has not';
const DECIDED = 'each approval was decided by an agent above the policy that asked, or by its root';

const SHOWN = 'each purchase that waits for an owner is shown as an order, and no other is';
const RESERVED =
  'each reservation of single units has as many as it is for, and no other unit is kept';
const QUOTED = 'each quote that waits for an owner is the pending order of its price';
const PLACED = 'no order is pending and placed';
const PURCHASES = 'each finished purchase has its order, each order a finished purchase';

const APPROVED = `id = (select min(id) from approval where status = 'approved')`;
const DENIED = `id = (select min(id) from approval where status = 'denied')`;
const PENDING = `id = (select min(id) from approval where status = 'pending')`;
const jobOf = (which: string) => `id = (select job_id from approval where ${which})`;

const GIVES_BACK = `update stock set status = 'available', reserved_for = null
                     where reserved_for = :pending;`;

/**
 * Sabotages of calls of the buyer's child: one was approved, one denied, one waits, and so does a
 * purchase that waits.
 */
export const APPROVAL_SABOTAGES: readonly Sabotage[] = [
  {
    proof: WAITS,
    what: 'an approval whose call goes on without it',
    sql: `update job set run_at = now(), push_after = null, deferral = null
           where ${jobOf(PENDING)}`,
  },
  {
    proof: WAITS,
    what: 'a call that waits although it was decided about',
    sql: `update approval set status = 'approved', decided_at = now(), decided_by = :buyer,
                 key_id = 1 where ${PENDING}`,
  },
  {
    proof: ENDS,
    what: 'one that was denied and goes on',
    sql: `update job set status = 'pending', http_status = null, answer = null, finished_at = null,
                 deferral = null
           where ${jobOf(DENIED)}`,
  },
  {
    proof: ENDS,
    what: 'one that was denied, and is said to have expired',
    sql: `update approval set status = 'expired', decided_by = null, key_id = null
           where ${DENIED}`,
  },
  {
    proof: PAID,
    what: 'an order of a call that was denied',
    sql: `update orders set job_id = (select job_id from approval where ${DENIED})
           where id = :approved;
          update approval set amount = 1000000000 where ${DENIED}`,
    also: [PURCHASES],
  },
  {
    proof: PAID,
    what: 'an order that costs more than was approved',
    sql: `update approval set amount = amount - 1 where ${APPROVED}`,
  },
  {
    proof: SET,
    what: 'by one that was denied',
    sql: `update policy_version set call_id = (select job_id from approval where ${DENIED})
           where agent_id = :buyer and version = 1`,
  },
  {
    proof: SET,
    what: 'by the approval of another call',
    sql: `update policy_version
             set key_id = null, approval_id = (select id from approval where ${APPROVED})
           where agent_id = :buyer and version = 1`,
  },
  {
    proof: SHOWN,
    what: 'one that is not',
    sql: `${GIVES_BACK} delete from pending_order where id = :pending`,
    also: [QUOTED],
  },
  {
    proof: SHOWN,
    what: 'one that was refused',
    sql: `update job set status = 'failed', http_status = 409, answer = '{}', finished_at = now(),
                 deferral = null
           where id = (select job_id from pending_order where id = :pending)`,
    also: [WAITS],
  },
  { proof: RESERVED, what: 'one too few', sql: GIVES_BACK },
  {
    proof: RESERVED,
    what: 'one that is over',
    sql: 'update pending_order set reserved_until = null where id = :pending',
  },
  {
    proof: PLACED,
    what: 'one that is',
    sql: `update orders set job_id = (select job_id from pending_order where id = :pending)
           where id = :open`,
    also: [PAID, PURCHASES],
  },
  {
    proof: DECIDED,
    what: 'by the agent that called',
    sql: `update approval set decided_by = agent_id where ${APPROVED}`,
  },
  {
    proof: DECIDED,
    what: 'by somebody from elsewhere',
    sql: `update approval set decided_by = :other where ${APPROVED}`,
  },
  {
    proof: DECIDED,
    what: 'for the policy of an agent that the caller is not below',
    sql: `update approval set policy_of = :other where ${PENDING}`,
  },
];
