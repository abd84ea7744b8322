import type { Sabotage } from '../kernel/sabotage.ts';

const BOUGHT = 'each order by a quote is what the quote says, and each quote is bought once';
const WAITING = 'each quote that waits for an owner is the pending order of its price';
const RESERVED =
  'each reservation of single units has as many as it is for, and no other unit is kept';

const cheaper = (quote: string) =>
  `update quote set unit_price = 900000, subtotal = 900000, fee = 90000 where id = ${quote}`;

/** Quotes of the buyer's tree: one that is open, one that was bought, and one that waits. */
export const QUOTE_SABOTAGES: readonly Sabotage[] = [
  { proof: BOUGHT, what: 'one that promised less', sql: cheaper(':quoted') },
  {
    proof: BOUGHT,
    what: 'one of another version',
    sql: 'update quote set version = 2 where id = :quoted',
  },
  {
    proof: BOUGHT,
    what: 'one of another agent',
    sql: 'update quote set agent_id = :other, root_id = :other where id = :quoted',
  },
  {
    proof: BOUGHT,
    what: 'one that is open again',
    sql: `update quote set status = 'open' where id = :quoted`,
  },
  {
    proof: BOUGHT,
    what: 'one without an order',
    sql: `update quote set status = 'bought', holds = false where id = :quote;
          update stock set status = 'available', reserved_for = null where reserved_for = :quote`,
  },
  { proof: WAITING, what: 'one of another price', sql: cheaper(':pending') },
  {
    proof: WAITING,
    what: 'one that has ended',
    sql: `update quote set status = 'ended', ended_at = now() where id = :pending`,
  },
  {
    proof: WAITING,
    what: 'one without a call',
    sql: `update quote set status = 'waiting', holds = false where id = :quote;
          update stock set status = 'available', reserved_for = null where reserved_for = :quote`,
  },
  {
    proof: RESERVED,
    what: 'a quote with too few',
    sql: `update stock set status = 'available', reserved_for = null where reserved_for = :quote`,
  },
  {
    proof: RESERVED,
    what: 'those of a quote that has ended',
    sql: `update quote set status = 'ended', holds = false, ended_at = now() where id = :quote`,
  },
];
