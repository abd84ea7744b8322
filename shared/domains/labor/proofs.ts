import { noStrayEscrow, type Proof } from '../ledger/proof.ts';

/** Proofs that escrows, payments, units and jobs agree with labor tasks and their claims. */
export const laborProofs: readonly Proof[] = [
  {
    name: 'each escrow of labor was filled by its poster, and holds what was not paid from it',
    sql: `select l.id as escrow, l.task_id, l.credit, l.cash, l.paid, h.credit as held_credit,
                 h.cash as held_cash
            from labor_escrow l join labor_task t on t.id = l.task_id
            left join ledger.escrow h
              on h.id = l.escrow_id and h.kind = 'labor.hold' and h.ref = l.id
             and h.root = t.poster_root
           where h.id is null or (h.credit, h.cash) <> (
             case when t.closed_at is null then greatest(0, l.credit - l.paid) else 0 end,
             case when t.closed_at is null then l.cash - greatest(0, l.paid - l.credit)
                  else 0 end)`,
  },
  {
    name: 'each accepted delivery was paid its reward once, from an escrow of its task',
    sql: `select c.id as claim, r.id as transfer, c.root_id, r.to_id as paid_to
            from (select c.*, t.reward from labor_claim c join labor_task t on t.id = c.task_id
                   where c.status = 'accepted') c
            full join (select * from ledger.transfer where kind = 'labor.release') r
              on r.ref = c.id
            left join labor_escrow l on l.escrow_id = r.from_id
           where c.id is null or r.id is null or r.to_id <> c.root_id
              or r.credit + r.cash <> c.reward or l.task_id is distinct from c.task_id`,
  },
  {
    name: 'each labor task counts what was accepted, and its escrows what was paid',
    sql: `select t.id as task_id, t.accepted, t.paid, made.accepted as claims, held.paid_from,
                 held.filled
            from labor_task t
            left join (select task_id, count(*) as accepted from labor_claim
                        where status = 'accepted' group by 1) made on made.task_id = t.id
            left join (select task_id, sum(paid) as paid_from, sum(credit + cash) as filled
                         from labor_escrow group by 1) held on held.task_id = t.id
           where t.accepted <> coalesce(made.accepted, 0)
              or t.paid is distinct from held.paid_from
              or t.budget is distinct from held.filled`,
  },
  {
    name: 'no labor is paid to the tree that posted it',
    sql: `select c.id as claim, t.id as task_id
            from labor_claim c join labor_task t on t.id = c.task_id
           where c.root_id = t.poster_root`,
  },
  {
    name: 'each labor task that is closed has no claim that waits',
    sql: `select t.id as task_id, c.id as claim, c.status
            from labor_task t join labor_claim c on c.task_id = t.id
           where t.closed_at is not null and c.closed_at is null`,
  },
  {
    name: 'each unit has as many deliveries, begun or still free, as are wanted',
    sql: `select u.id as unit, u.wanted, u.free, begun.claims
            from labor_unit u join labor_task t on t.id = u.task_id
            left join (
              select c.unit_id, count(*) as claims
                from labor_claim c join labor_unit unit on unit.id = c.unit_id
                join labor_task task on task.id = unit.task_id
               where c.status not in ('released', 'expired')
                 and not (c.status = 'rejected' and c.closed_at is not null
                          and (unit.expected is not null or task.verification <> 'consensus'))
               group by 1) begun on begun.unit_id = u.id
           where u.wanted > t.max_overlap
              -- A known answer that was withdrawn is wanted no more.
              or case when u.expected is null then u.free + coalesce(begun.claims, 0) <> u.wanted
                      else u.free + coalesce(begun.claims, 0) > u.wanted end`,
  },
  {
    name: 'each labor task has its units, and its known answers',
    sql: `select t.id as task_id, t.units, t.gold, made.units as made, made.gold as known
            from labor_task t left join (
              select task_id, count(*) as units, count(expected) as gold
                from labor_unit group by 1) made
              on made.task_id = t.id
           where t.units <> coalesce(made.units, 0)
              -- A task of a release before 0066 does not say how many.
              or t.gold <> coalesce(made.gold, 0) and t.gold > 0`,
  },
  noStrayEscrow('labor', 'a labor task', 'labor_escrow'),
  {
    name: 'each finished post_labor_task has its labor task, each task a finished call',
    sql: `select coalesce(j.id, t.call_id) as job, t.id as task_id, j.status
            from (select * from job where operation = 'post_labor_task' and status = 'complete') j
            full join labor_task t on t.call_id = j.id
           where j.id is null and exists (select from job where id = t.call_id) or t.id is null`,
  },
  {
    name: 'each appeal that waits has its dispute, each open dispute an appeal',
    sql: `select c.id as claim, d.claim_id as dispute
            from (select id from labor_claim where status = 'appealed' and closed_at is null) c
            full join (select claim_id from labor_dispute where closed_at is null) d
              on d.claim_id = c.id
           where c.id is null or d.claim_id is null`,
  },
];
