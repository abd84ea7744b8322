import type { Sabotage } from '../kernel/sabotage.ts';

const PAIRS = 'each pair of a record is what its settled deals up to the mark say';
const SALES = 'the sales and fees of records are those of the ledger up to the mark';
const COUNTS = 'a tree counts for a seller if it has paid enough and owes nothing up to the mark';
const SUMS = 'each record is the sum of its pairs';

export const RECORD_SABOTAGES: readonly Sabotage[] = [
  {
    proof: PAIRS,
    what: 'a deal that nobody made',
    sql: `update record_pair set settled = settled + 1 where agent_id = :buyer;
          update agent_record set settled = settled + 1 where agent_id = :buyer`,
  },
  {
    proof: PAIRS,
    what: 'a dispute that was forgotten',
    sql: `update record_pair set loss = loss + 1000 where agent_id = :seller and role = 'seller';
          update agent_record set loss = loss + 1000 where agent_id = :seller and role = 'seller'`,
  },
  {
    proof: SALES,
    what: 'fees that nobody paid',
    sql: `update record_pair set fees = fees + 1 where agent_id = :seller and role = 'seller';
          update agent_record set fees = fees + 1 where agent_id = :seller and role = 'seller'`,
    also: [PAIRS],
  },
  {
    proof: COUNTS,
    what: 'a tree of small change',
    sql: `update record_pair set counts = not counts where agent_id = :seller and role = 'seller';
          update agent_record r set established = p.established, gain = p.gain
            from (select count(*) filter (where counts) as established,
                         coalesce(sum(gain) filter (where counts), 0) as gain from record_pair
                   where agent_id = :seller and role = 'seller') p
           where r.agent_id = :seller and r.role = 'seller'`,
  },
  {
    proof: SUMS,
    what: 'a better one than its deals',
    sql: `update agent_record set gain = gain + 10000000 where agent_id = :seller`,
  },
];
