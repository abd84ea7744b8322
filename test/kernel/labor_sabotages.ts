import { LISTED, moves, type Sabotage } from './sabotage.ts';

const HELD = 'each escrow of labor was filled by its poster, and holds what was not paid from it';
const PAID = 'each accepted delivery was paid its reward once, from an escrow of its task';
const COUNTED = 'each labor task counts what was accepted, and its escrows what was paid';
const MESSAGES = 'each message is between the parties of its order, its task and bid, or its claim';
const OWN = 'no labor is paid to the tree that posted it';
const WAITS = 'each labor task that is closed has no claim that waits';
const WANTED = 'each unit has as many deliveries, begun or still free, as are wanted';
const UNITS = 'each labor task has its units, and its known answers';
const STRAY = 'no escrow is held for a labor task that does not exist';
const CALLS = 'each finished post_labor_task has its labor task, each task a finished call';
const APPEALS = 'each appeal that waits has its dispute, each open dispute an appeal';
const SPENDS = 'what an agent spent on each day is what its tree below it paid';

/**
 * `:labor` is open, of the buyer's, with $0.10 for each of two units. `:labor_done` is the seller's
 * accepted claim of the one.
 */
export const LABOR_SABOTAGES: readonly Sabotage[] = [
  {
    proof: HELD,
    what: 'a closed one whose cash is held still',
    sql: `update labor_task set status = 'completed', closed_at = now() where id = :labor`,
    also: [SPENDS, LISTED],
  },
  {
    proof: PAID,
    what: 'work that another was paid for',
    sql: `update ledger.transfer set (to_id, to_root) = (select :other, :other)
           where kind = 'labor.release' and ref = :labor_done;
          ${moves(':seller', 'cash = cash - 100000')} ${moves(':other', 'cash = cash + 100000')}`,
  },
  {
    proof: PAID,
    what: 'a payment for what was rejected',
    sql: `update labor_claim set status = 'rejected', due_at = now() where id = :labor_done`,
    also: [COUNTED, WANTED],
  },
  {
    proof: COUNTED,
    what: 'one more than there was',
    sql: `update labor_task set accepted = 2, paid = 200000 where id = :labor`,
  },
  {
    proof: OWN,
    what: 'a claim of an agent that posted it',
    sql: `update labor_task set (poster_id, poster_root) = (select :seller, :seller)
           where id = :labor`,
    also: [HELD, SPENDS, MESSAGES, LISTED],
  },
  {
    proof: WAITS,
    what: 'a delivery that was forgotten',
    sql: `update labor_claim set status = 'verifying', judged_by = null, closed_at = null
           where id = :labor_done;
          update labor_task set status = 'completed', closed_at = now() where id = :labor`,
    also: [PAID, COUNTED, HELD, SPENDS, LISTED],
  },
  {
    proof: WANTED,
    what: 'one that can be taken once more',
    sql: `update labor_unit set free = 1 where id = (
            select unit_id from labor_claim where id = :labor_done)`,
  },
  {
    proof: UNITS,
    what: 'one fewer',
    sql: `update labor_unit set task_id = (select max(id) from labor_task), n = 99
           where task_id = :labor and n = 2`,
  },
  {
    proof: UNITS,
    what: 'one known answer more than there is',
    sql: `update labor_task set gold = 1 where id = :labor`,
  },
  {
    proof: STRAY,
    what: 'one of no task',
    sql: `update ledger.transfer set ref = 999999
           where id = (select escrow_id from labor_escrow where task_id = :labor)`,
    also: [HELD],
  },
  {
    proof: CALLS,
    what: 'a call without a task',
    sql: 'update labor_task set call_id = gen_random_uuid() where id = :labor',
  },
  {
    proof: APPEALS,
    what: 'one that is open although nobody appealed',
    sql: 'insert into labor_dispute (claim_id) values (:labor_done)',
  },
];
