import { moves, transfer, treasury, type Sabotage } from './sabotage.ts';

const OWES = 'each treasury owes what its account receivable lacks';
const PAID = 'each credited deposit was paid in once, in full, by its rail, and no other was';
const TAKEN = 'each reversal of a deposit took from its tree, or left it owing, what it says';
const SAID = 'each deposit says what of it was reversed';
const CARDS = 'each deposit by card is a payment that Stripe was asked for, and no other';
const RECHARGES = 'each recharge that was paid was credited, and no other';
const EVIDENCE = 'each deposit by chain says who paid whom, when, and by what it is whose';
const BOUND = 'each deposit by chain that no reference binds is of whom its sender or recipient is';
const OLDER = 'no deposit by chain is older than its agent';
const PAYMENTS = 'each payment of what a tree owed was taken from it once';

/** The one deposit of the other agent, of $5. */
const deposit = `(select id from deposit where root_id = :other)`;
const others = `where kind = 'deposit' and to_id = :other`;
const asset = `'asset', 1, null`;
const reversal = (amount: number, { taken = 0, owed = 0 }) =>
  `insert into deposit_reversal (deposit_id, amount, taken, owed)
   values (${deposit}, ${amount}, ${taken}, ${owed});
   update deposit set reversed = reversed + ${amount} where id = ${deposit};`;
const LAST = '(select max(id) from deposit_reversal)';

/** One by chain, that waits. */
const byChain = (boundBy: string, paidAt = 'now()') =>
  `insert into deposit (rail, network, tx_id, status, waits_for, look_at, asset, amount, agent_id,
                        root_id, sender, recipient, position, paid_at, bound_by)
   values ('base', 'sandbox-base', '0x1', 'detected', 'Why.', now(), 'ETH', 1, :other, :other,
           '0xab', '0xcd', 1, ${paidAt}, '${boundBy}');`;

/** The deposit becomes one by card. */
const cardPayment = (amount: string) =>
  `update deposit set network = 'sandbox', tx_id = 'pi' where id = ${deposit};
   insert into card_payment (id, agent_id, root_id, amount, saves_card, payment_id, deposit_id)
   values (gen_random_uuid(), :other, :other, ${amount}, false, 'pi', ${deposit});`;

const PROCEEDS =
  'cash that is kept back, as paid by card to another tree, is a transfer to its tree';

/** Sabotages of money that comes in, and of what goes back. */
export const DEPOSIT_SABOTAGES: readonly Sabotage[] = [
  { proof: PROCEEDS, what: 'more', sql: 'update card_proceeds set cash = cash + 1' },
  { proof: PROCEEDS, what: 'none', sql: 'update card_proceeds set transfer_id = -transfer_id' },
  { proof: PROCEEDS, what: 'of another payer', sql: 'update card_proceeds set payer_root = -1' },
  { proof: OWES, what: 'it owes more', sql: moves(':other', 'owed = owed + 1') },
  {
    proof: OWES,
    what: 'it owes nothing any more',
    sql:
      reversal(5, { owed: 5 }) +
      transfer('deposit.owed', LAST, 5, `'receivable', :other, :other`, asset) +
      moves(':other', 'inflow = inflow - 5'),
  },
  {
    proof: PAID,
    what: 'one that was not paid in',
    sql: `delete from ledger.transfer ${others};
          ${moves(':other', 'cash = cash - 5000000, inflow = inflow - 5000000')}`,
  },
  {
    proof: PAID,
    what: 'one of less than was paid in',
    sql: `update deposit set usd = usd - 1 where id = ${deposit}`,
  },
  {
    proof: PAID,
    what: 'one that is not credited',
    sql: `update deposit set status = 'confirming', credited_at = null, waits_for = 'Why.',
                 look_at = now() where id = ${deposit}`,
  },
  {
    proof: PAID,
    what: 'one of another rail',
    sql: `update deposit set rail = 'base' where id = ${deposit}`,
    also: [EVIDENCE],
  },
  {
    proof: PAID,
    what: 'one that another tree has',
    sql: `update ledger.transfer set to_id = :idle, to_root = :idle ${others};
          ${moves(':other', 'cash = cash - 5000000, inflow = inflow - 5000000')}
          ${moves(':idle', 'cash = cash + 5000000, inflow = inflow + 5000000')}`,
  },
  { proof: TAKEN, what: 'one that took nothing', sql: reversal(5, { taken: 5 }) },
  {
    proof: TAKEN,
    what: 'one that took too much',
    sql:
      reversal(5, { taken: 5 }) +
      transfer('deposit.reversal', LAST, 6, treasury(':other'), asset) +
      moves(':other', 'cash = cash - 6, inflow = inflow - 6'),
  },
  {
    proof: TAKEN,
    what: 'one that took from another',
    sql:
      reversal(5, { taken: 5 }) +
      transfer('deposit.reversal', LAST, 5, treasury(':buyer'), asset) +
      moves(':buyer', 'cash = cash - 5, inflow = inflow - 5'),
  },
  {
    proof: TAKEN,
    what: 'money taken back that no reversal says',
    sql:
      transfer('deposit.reversal', '-1', 5, treasury(':other'), asset) +
      moves(':other', 'cash = cash - 5, inflow = inflow - 5'),
  },
  {
    proof: SAID,
    what: 'more than was',
    sql: `update deposit set reversed = reversed + 1 where id = ${deposit}`,
  },
  {
    proof: CARDS,
    what: 'one that nobody asked for',
    sql: `update deposit set network = 'sandbox' where id = ${deposit}`,
  },
  {
    proof: CARDS,
    what: 'one of less than was credited',
    sql: cardPayment('4990000'),
  },
  {
    proof: RECHARGES,
    what: 'one that failed',
    sql: `${cardPayment('5000000')}
          insert into recharge (id, root_id, customer_id, method_id, status, reason, ended_at)
          select id, root_id, 'cus', 'pm', 'failed', 'card_declined', now() from card_payment`,
  },
  {
    proof: PAYMENTS,
    what: 'one that nobody paid',
    sql: `insert into owed_payment (root_id, amount) values (:other, 5)`,
  },
  {
    proof: PAYMENTS,
    what: 'one of nothing',
    sql:
      transfer('owed.payment', '-1', 5, treasury(':other'), `'receivable', :other, :other`) +
      moves(':other', 'cash = cash - 5'),
    also: [OWES],
  },
  {
    proof: EVIDENCE,
    what: 'one of which nobody knows who paid',
    sql: `${byChain('reference')}
          update deposit set sender = null, recipient = null, position = null, paid_at = null,
                 bound_by = null where tx_id = '0x1'`,
  },
  { proof: BOUND, what: 'one of a wallet that nobody linked', sql: byChain('wallet') },
  {
    proof: BOUND,
    what: 'one of a wallet of somebody else',
    sql: `insert into linked_wallet (family, address, agent_id, root_id)
          values ('evm', '0xab', :idle, :idle); ${byChain('wallet')}`,
  },
  {
    proof: BOUND,
    what: 'one of a contract that was linked on another network',
    sql: `insert into linked_wallet (family, address, agent_id, root_id, network)
          values ('evm', '0xab', :other, :other, 'base'); ${byChain('wallet')}`,
  },
  {
    proof: BOUND,
    what: 'one of a wallet that was unlinked before',
    sql: `insert into linked_wallet (family, address, agent_id, root_id, unlinked_at)
          values ('evm', '0xab', :other, :other, now() - interval '1 hour'); ${byChain('wallet')}`,
  },
  {
    proof: BOUND,
    what: 'one to an address of somebody else',
    sql: `insert into deposit_address (family, index, address, agent_id, root_id)
          values ('evm', 1, '0xcd', :idle, :idle); ${byChain('address')}`,
  },
  { proof: OLDER, what: 'one that is', sql: byChain('reference', `'2001-01-01'`) },
];
