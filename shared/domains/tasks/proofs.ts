import { noStrayEscrow, type Proof } from '../ledger/proof.ts';

/** Proofs that escrows, payments and jobs agree with the tasks. */
export const tasksProofs: readonly Proof[] = [
  {
    name: 'each task that goes on is held for in full, and each that ended is paid out in full',
    sql: `select t.id as task_id, t.status, t.credit, t.cash, e.credit as held_credit,
                 e.cash as held_cash
            from task t left join ledger.escrow e
              on e.id = t.escrow_id and e.kind = 'task.hold' and e.ref = t.id
           where e.id is null or (e.credit, e.cash) <> (
             case when t.closed_at is null then t.credit else 0 end,
             case when t.closed_at is null then t.cash else 0 end)`,
  },
  {
    name: 'each task that ended paid its worker once what it says, and its poster the rest',
    sql: `select id as task_id, status, budget, paid, released, credit_released, back
            from (
              select t.id, t.status, t.budget, t.paid, t.credit,
                     coalesce(sum(m.credit + m.cash) filter (
                       where m.kind = 'task.release' and m.to_id = worker.bidder_root), 0)
                       as released,
                     coalesce(sum(m.credit) filter (where m.kind = 'task.release'), 0)
                       as credit_released,
                     coalesce(sum(m.credit + m.cash) filter (
                       where m.kind = 'task.refund' and m.to_id = t.poster_root), 0) as back
                from task t left join bid worker on worker.id = t.bid_id
                left join ledger.transfer m
                  on m.from_account = 'escrow' and m.from_id = t.escrow_id
               where t.closed_at is not null group by t.id) moved
           where released <> paid or back <> budget - paid
              or credit_released <> least(credit, paid)`,
  },
  {
    name: 'the work of each approved task was paid as its bid says, and is of that bid',
    sql: `select t.id as task_id, t.budget, t.paid, bid.amount, bid.bidder_root, t.poster_root
            from task t left join bid on bid.id = t.bid_id
           where t.status = 'approved' and t.paid is distinct from bid.amount or t.paid > bid.amount
              or bid.amount > t.budget or bid.bidder_root = t.poster_root`,
  },
  {
    name: 'each task was paid by the tree of its poster',
    sql: `select t.id as task_id, e.from_id as paid_by, t.poster_root
            from task t join ledger.transfer e on e.id = t.escrow_id
           where e.from_account <> 'treasury' or e.from_id <> t.poster_root`,
  },
  noStrayEscrow('task', 'a task', 'task'),
  {
    name: 'each task counts its bids',
    sql: `select t.id as task_id, t.bids_count, made.bids
            from task t left join (
              select task_id, count(*) as bids from bid
               where withdrawn_at is null group by 1) made on made.task_id = t.id
           where t.bids_count <> coalesce(made.bids, 0)`,
  },
  {
    name: 'each finished task_post has its task, each task a finished task_post',
    sql: `select coalesce(j.id, t.call_id) as job, t.id as task_id, j.status
            from (select * from job where operation = 'task_post' and status = 'complete') j
            full join task t on t.call_id = j.id
           where j.id is null and exists (select from job where id = t.call_id) or t.id is null`,
  },
  {
    name: 'each task whose bid was accepted names the bidder as its worker',
    sql: `select t.id as task_id, t.worker_id, bid.bidder_id
            from task t left join bid on bid.id = t.bid_id
           where t.worker_id is not null and t.worker_id is distinct from bid.bidder_id`,
  },
];
