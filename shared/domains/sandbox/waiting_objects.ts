/** Rows with times at which something happens to an object. The id of the object is `$1`. */
interface Deadlines {
  readonly table: string;
  readonly columns: readonly string[];
  /** The rows of the object for which nothing is final yet. */
  readonly where: string;
}

/** A kind of object that waits for times. */
interface WaitingObject {
  /** Its status; no row: it is not the caller's (`$2`), or of an agent below it. */
  readonly statusSql: string;
  readonly deadlines: readonly Deadlines[];
  /** Timers that act when such a time comes, in this order. */
  readonly timers: readonly string[];
}

const isIn = (agents: string) =>
  `exists (select from agent where id in (${agents}) and $2::bigint = any (lineage))`;

export const WAITING_OBJECTS = {
  order: {
    statusSql: `select status from orders where id = $1 and ${isIn('buyer_id, seller_id')}`,
    deadlines: [
      {
        table: 'orders',
        columns: ['release_at'],
        where: `id = $1 and status in ('escrow', 'disputed')`,
      },
      { table: 'dispute', columns: ['respond_by'], where: 'order_id = $1 and closed_at is null' },
      { table: 'order_access', columns: ['access_by'], where: 'order_id = $1' },
    ],
    timers: ['refund_unanswered_disputes', 'refund_unserved_orders', 'release_due_orders'],
  },
  task: {
    statusSql: `select status from task where id = $1 and ${isIn('poster_id, worker_id')}`,
    deadlines: [
      {
        table: 'task',
        columns: ['due_at', 'review_deadline', 'dispute_by'],
        where: 'id = $1 and closed_at is null',
      },
    ],
    timers: ['settle_due_tasks'],
  },
  labor_task: {
    statusSql: `
      select status from labor_task where id = $1 and (${isIn('poster_id')} or exists
        (select from labor_claim c join agent a on a.id = c.agent_id
          where c.task_id = $1 and $2 = any (a.lineage)))`,
    deadlines: [
      { table: 'labor_task', columns: ['due_at'], where: 'id = $1 and closed_at is null' },
      { table: 'labor_claim', columns: ['due_at'], where: 'task_id = $1 and closed_at is null' },
    ],
    timers: ['settle_due_labor', 'expire_labor_tasks'],
  },
  approval: {
    statusSql: `select status from approval where id = $1 and ${isIn('agent_id')}`,
    deadlines: [
      { table: 'approval', columns: ['expires_at'], where: `id = $1 and status = 'pending'` },
      {
        table: 'pending_order',
        columns: ['reserved_until'],
        where: 'job_id = (select job_id from approval where id = $1) and closed_at is null',
      },
      // The terms of a quote that waits for this decision are held until then.
      {
        table: 'quote',
        columns: ['expires_at'],
        where: `status = 'waiting' and id = (select p.id from pending_order p
                  join approval a on a.job_id = p.job_id where a.id = $1)`,
      },
    ],
    timers: ['expire_approvals', 'release_reservations'],
  },
  // The next round of payments, within ten seconds, pays what may be paid then.
  withdrawal: {
    statusSql: `select status from withdrawal where id = $1 and ${isIn('agent_id')}`,
    deadlines: [
      { table: 'withdrawal', columns: ['not_before'], where: `id = $1 and status = 'requested'` },
      {
        table: 'payout_address',
        columns: ['usable_from'],
        where: `(root_id, chain_id, address) =
                (select root_id, chain_id, address from withdrawal where id = $1)`,
      },
    ],
    timers: [],
  },
} as const satisfies Readonly<Record<string, WaitingObject>>;

export type WaitingKind = keyof typeof WAITING_OBJECTS;
