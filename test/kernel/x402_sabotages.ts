import type { Sabotage } from './sabotage.ts';

const ONCE =
  'each settled payment by x402 is one deposit, in full, of its caller or else its payer';
const ACCOUNTS = 'each root agent without a password is the account of an address that has paid';
const ON_CHAIN =
  'each settled payment by x402 is on the chain, in full, from its payer to our address';
const HOLDS = 'the address that is paid by x402 holds what came to it less what left it';
const RECORDED =
  'each transfer to the address that is paid by x402 is a payment, a deposit or our own';
const PAID = 'each credited deposit was paid in once, in full, by its rail, and no other was';

/** Sabotages of payments by x402: one of $1, by an address that had no account. */
export const X402_SABOTAGES: readonly Sabotage[] = [
  {
    proof: ONCE,
    what: 'one of less',
    sql: `update x402_payment set amount = amount - 1`,
    also: [ON_CHAIN],
  },
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
  ...Object.entries({
    'a transfer that the chain does not show': 'delete from x402_transfer',
    'one of less': 'update x402_transfer set amount = amount - 1',
    'one to another address': `update x402_transfer set pay_to = '0x'`,
  }).map(([what, sql]) => ({ proof: ON_CHAIN, what, sql, also: [HOLDS] })),
  ...Object.entries({
    'one from another address': `update x402_transfer set sender = '0x${'ab'.repeat(20)}'`,
    'one that used another authorization': 'update x402_transfer set nonce = null',
  }).map(([what, sql]) => ({ proof: ON_CHAIN, what, sql })),
  {
    proof: RECORDED,
    what: 'a transfer that nothing records',
    // It is older than the first reading of the balance.
    sql: `
      with c as (update x402_cursor set suspended_to = compared_to
                 returning network, asset, pay_to, base_block)
      insert into x402_transfer (network, asset, pay_to, tx_hash, log_index, sender, amount,
                                 block_number, credited, own)
      select network, asset, pay_to, '0x${'cd'.repeat(32)}', 0, '0x${'ab'.repeat(20)}', 1,
             base_block, false, false from c`,
  },
  ...Object.entries({
    'a balance of less': 'update x402_cursor set held = held - 1',
    'one of more at the start': 'update x402_cursor set base_held = base_held + 1',
    'money that left the address': `
      insert into x402_sent (network, asset, pay_to, tx_hash, log_index, recipient, amount,
                             block_number)
      select network, asset, pay_to, tx_hash, 1, sender, 1, block_number from x402_transfer`,
  }).map(([what, sql]) => ({ proof: HOLDS, what, sql })),
];
