import { creditFirst, escrow, insertTransfers, treasury } from '../ledger/ledger.ts';
import type { MoneyTx, Transfer } from '../ledger/ledger.ts';
import { toUsd, type Micros } from '../../kernel/money.ts';
import { execute } from '../../platform/rows.ts';
import { refundSpends } from '../wallet/spend.ts';
import type { Bid } from './bids.ts';
import type { LockedTask } from './locked_tasks.ts';
import { notifyOthers, notifyParties } from './task_events.ts';

/** The end of a task: its status, and the pay of its worker. The rest goes back to its poster. */
export interface TaskOutcome {
  readonly task: LockedTask;
  readonly status: 'approved' | 'refunded' | 'partially_refunded' | 'cancelled' | 'expired';
  readonly paid: Micros;
}

/** The end of a task with approved work: its worker is paid the bid. */
export const approval = (task: LockedTask): TaskOutcome => ({
  task,
  status: 'approved',
  paid: task.bid_amount!,
});

/** The task, with the worker whose submission is approved. */
export const withWorker = (
  task: LockedTask,
  bid: Pick<Bid, 'id' | 'bidder_id' | 'bidder_root' | 'amount'>,
  submissionId: number,
): LockedTask => ({
  ...task,
  submission_id: submissionId,
  bid_id: bid.id,
  bid_amount: bid.amount,
  worker_id: bid.bidder_id,
  worker_root: bid.bidder_root,
});

/** The end of a task whose money goes back to the poster. */
export const refundOf = (
  task: LockedTask,
  status: 'refunded' | 'cancelled' | 'expired',
): TaskOutcome => ({
  task,
  status,
  paid: 0n,
});

/** Empties the escrows of these tasks and closes them. Their trees and rows are locked. */
export async function settle(tx: MoneyTx, endings: readonly TaskOutcome[]): Promise<void> {
  const { db } = tx;
  await insertTransfers(tx, endings.flatMap(transfersOf));
  await execute(
    db,
    `update task set status = e.status, paid = e.paid, bid_id = e.bid_id,
            submission_id = e.submission_id, closed_at = now()
       from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[])
              as e(id, status, paid, bid_id, submission_id)
      where task.id = e.id`,
    [
      endings.map(({ task }) => task.id),
      endings.map(({ status }) => status),
      endings.map(({ paid }) => paid),
      endings.map(({ task }) => task.bid_id),
      endings.map(({ task }) => task.submission_id),
    ],
  );
  const refunds = endings.map(({ task: { poster_id: agentId, spent_on: day, budget }, paid }) => ({
    agentId,
    day,
    amount: budget - paid,
  }));
  await refundSpends(
    db,
    refunds.filter(({ amount }) => amount > 0n),
  );
  await notifyParties(
    db,
    endings.map(({ task, status, paid }) => ({
      task,
      status,
      type: `task.${status}`,
      data: { paid: toUsd(paid), refunded: toUsd(task.budget - paid) },
    })),
  );
  // The other bidders of an assigned task were notified when a bid was accepted.
  const open = endings.filter(({ task }) => task.status === 'open');
  const tasksOf = (some: readonly TaskOutcome[]) => some.map(({ task }) => task);
  const approved = open.filter(({ status }) => status === 'approved');
  await notifyOthers(db, tasksOf(approved), 'not_selected');
  const lapsed = open.filter(({ status }) => status !== 'approved');
  await notifyOthers(db, tasksOf(lapsed), 'lapsed');
}

/**
 * The transfers that empty an escrow. The worker is paid in credit first, and the poster gets back
 * the funds that are left. So two agents cannot turn welcome credit into cash.
 */
function transfersOf({ task, paid }: TaskOutcome): Transfer[] {
  const from = escrow(task.escrow_id, task.poster_root);
  const toWorker = creditFirst(paid, task);
  const back = { credit: task.credit - toWorker.credit, cash: task.cash - toWorker.cash };
  const ref = task.id;
  return [
    ...(paid > 0n
      ? [{ kind: 'task.release' as const, ref, from, to: treasury(task.worker_root!), ...toWorker }]
      : []),
    // insertTransfers leaves out transfers of nothing.
    { kind: 'task.refund', ref, from, to: treasury(task.poster_root), ...back },
  ];
}
