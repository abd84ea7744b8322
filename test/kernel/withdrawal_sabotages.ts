import { LISTED, type Sabotage } from './sabotage.ts';

const HELD = 'each open withdrawal is held for in full, in cash, and each closed one not any more';
const PAID = 'each withdrawal that was paid left its chain once, and of no other money left one';
const BACK = 'the money of each withdrawal that failed or was cancelled is back in its wallet';
const STRAY = 'no escrow is held for a withdrawal that does not exist';
const CHAIN =
  'each withdrawal that was paid has one payment on the chain, and each payment one of it';
const NONCES = 'each nonce of a wallet was given to one withdrawal';
const SIGNED = 'each withdrawal that was paid names a transaction that was signed for it';
const REVIEWED = 'each large withdrawal was paid only after an operator had approved it';
const BOTH = 'each withdrawal that needed two operators was paid after both had approved it';
const CALLS = 'each finished withdraw has its withdrawal, each withdrawal a finished withdraw';

/** `:withdrawal` is open, `:withdrawal_paid` was paid by the only wallet; another was cancelled. */
export const WITHDRAWAL_SABOTAGES: readonly Sabotage[] = [
  {
    proof: HELD,
    what: 'one without an escrow',
    sql: 'update withdrawal set escrow_id = -1 where id = :withdrawal',
    also: [STRAY],
  },
  {
    proof: HELD,
    what: 'one for more than is held',
    sql: `update withdrawal set amount = amount + 1 where id = :withdrawal`,
    also: ['what an agent spent on each day is what its tree below it paid', LISTED],
  },
  {
    proof: PAID,
    what: 'a payment for another object',
    sql: `update ledger.transfer set ref = 999999 where kind = 'withdrawal.paid'`,
  },
  {
    proof: BACK,
    what: 'money that came back for another object',
    sql: `update ledger.transfer set ref = 999999 where kind = 'withdrawal.refund'`,
  },
  {
    proof: STRAY,
    what: 'one of no withdrawal',
    sql: `update ledger.transfer set ref = 999999
           where id = (select escrow_id from withdrawal where id = :withdrawal)`,
    also: [HELD],
  },
  { proof: CHAIN, what: 'a payment that the chain has not', sql: 'delete from chain_payment' },
  {
    proof: CHAIN,
    what: 'a payment of nobody',
    sql: `insert into chain_payment
          select wallet_id, '0x' || repeat('b', 64), 1, address, amount, block_number
            from chain_payment`,
  },
  {
    proof: CHAIN,
    what: 'a payment to another',
    sql: `update chain_payment set address = '0x' || repeat('12', 20)`,
  },
  { proof: CHAIN, what: 'another amount', sql: 'update chain_payment set amount = amount + 1' },
  {
    proof: NONCES,
    what: 'one that nobody has',
    sql: 'update hot_wallet set next_nonce = next_nonce + 1',
  },
  {
    proof: SIGNED,
    what: 'a transaction of nobody',
    sql: `update payout_transaction set hash = '0x' || repeat('d', 64)`,
  },
  {
    proof: REVIEWED,
    what: 'an approval that is not in the audit log',
    sql: `update withdrawal set review = 'approved' where id = :withdrawal_paid`,
  },
  {
    proof: BOTH,
    what: 'one that a single operator approved',
    sql: `update withdrawal set approved_by = 'ada' where id = :withdrawal_paid`,
  },
  {
    proof: CALLS,
    what: 'a call without a withdrawal',
    sql: 'update withdrawal set call_id = gen_random_uuid() where id = :withdrawal',
  },
];
