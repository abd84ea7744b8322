import { LISTED, moves, type Sabotage } from './sabotage.ts';

const HELD = 'each task that goes on is held for in full, and each that ended is paid out in full';
const PAID = 'each task that ended paid its worker once what it says, and its poster the rest';
const BID = 'the work of each approved task was paid as its bid says, and is of that bid';
const MESSAGES = 'each message is between the parties of its order, its task and bid, or its claim';
const WORKER = 'each task whose bid was accepted names the bidder as its worker';
const STRAY = 'no escrow is held for a task that does not exist';
const PAID_BY = 'each task was paid by the tree of its poster';
const CALLS = 'each finished task_post has its task, each task a finished task_post';
const SPENDS = 'what an agent spent on each day is what its tree below it paid';

/** `:task` is open with $1, `:done_task` was approved: $0.80 of $1 for the seller. */
export const TASK_SABOTAGES: readonly Sabotage[] = [
  {
    proof: HELD,
    what: 'an open one without an escrow',
    sql: 'update task set escrow_id = -1 where id = :task',
    also: [STRAY],
  },
  {
    proof: HELD,
    what: 'one that ended whose cash is held still',
    sql: `update task set status = 'cancelled', closed_at = now() where id = :task`,
    also: [PAID, SPENDS, LISTED],
  },
  {
    proof: PAID,
    what: 'more than it says',
    sql: `update ledger.transfer set cash = cash + case kind when 'task.release' then 1 else -1 end
           where from_account = 'escrow' and from_id = :escrow_of_done_task;
          ${moves(':seller', 'cash = cash + 1')} ${moves(':buyer', 'cash = cash - 1')}`,
  },
  {
    proof: PAID,
    what: 'work that another was paid for',
    sql: `update ledger.transfer set (to_id, to_root) = (select :other, :other)
           where kind = 'task.release' and from_id = :escrow_of_done_task;
          ${moves(':seller', 'cash = cash - 800000')} ${moves(':other', 'cash = cash + 800000')}`,
  },
  {
    proof: BID,
    what: 'a bid that was raised afterwards',
    sql: `update bid set amount = 900000 where task_id = :done_task`,
  },
  {
    proof: BID,
    what: 'a split of more than was bid',
    sql: `update task set status = 'partially_refunded' where id = :done_task;
          update bid set amount = 700000 where task_id = :done_task`,
  },
  {
    proof: BID,
    what: "the poster's own tree",
    sql: `update bid set (bidder_id, bidder_root) = (select :buyer, :buyer)
           where task_id = :done_task`,
    also: [PAID, MESSAGES, WORKER],
  },
  {
    proof: PAID_BY,
    what: 'paid by another',
    sql: `update ledger.transfer set (from_id, from_root, to_root) = (select :other, :other, :other)
           where id = :escrow_of_task;
          ${moves(':buyer', 'cash = cash + 1000000, escrow_cash = escrow_cash - 1000000')}
          ${moves(':other', 'cash = cash - 1000000, escrow_cash = escrow_cash + 1000000')}`,
    also: [LISTED],
  },
  {
    proof: LISTED,
    what: 'a task of another tree',
    sql: `update task set (poster_id, poster_root) = (select :other, :other) where id = :task`,
    also: [PAID_BY, SPENDS],
  },
  {
    proof: STRAY,
    what: 'one of no task',
    sql: 'update ledger.transfer set ref = 999999 where id = :escrow_of_task',
    also: [HELD],
  },
  {
    proof: 'each task counts its bids',
    what: 'one that was not counted',
    sql: 'update task set bids_count = 0 where id = :done_task',
  },
  {
    proof: CALLS,
    what: 'a call without a task',
    sql: 'update task set call_id = gen_random_uuid() where id = :task',
  },
  {
    proof: CALLS,
    what: 'a task of a call that failed',
    sql: `update job set status = 'failed'
           where id = (select call_id from task where id = :task)`,
  },
  {
    proof: WORKER,
    what: 'another',
    sql: 'update task set worker_id = :other where id = :done_task',
  },
];
