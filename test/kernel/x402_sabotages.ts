import type { Sabotage } from './sabotage.ts';

const ONCE =
  'each settled payment by x402 is one deposit, in full, of its caller or else its payer';
const ACCOUNTS = 'each root agent without a password is the account of an address that has paid';
const PAID = 'each credited deposit was paid in once, in full, by its rail, and no other was';

/** Of payments by x402: one of $1, by an address that had no account. */
export const X402_SABOTAGES: readonly Sabotage[] = [
  { proof: ONCE, what: 'one of less', sql: `update x402_payment set amount = amount - 1` },
  { proof: ONCE, what: 'one of another transfer', sql: `update x402_payment set tx_id = '0x'` },
  {
    proof: ONCE,
    what: 'one that is credited to another',
    sql: `update x402_payment set agent_id = :other, root_id = :other`,
    also: [ACCOUNTS],
  },
  {
    proof: ONCE,
    what: 'a deposit that nobody has paid for',
    sql: `update deposit set rail = 'x402' where root_id = :other`,
    also: [PAID],
  },
  {
    proof: ONCE,
    what: 'a payment that was forgotten',
    sql: `update x402_payment set status = 'open', tx_id = null, deposit_id = null,
                                  settled_at = null`,
    also: [ACCOUNTS],
  },
  {
    proof: ACCOUNTS,
    what: 'one that has no address',
    sql: `update agent set email = null, password_hash = null where id = :idle`,
  },
];
