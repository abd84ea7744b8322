import { APPROVAL_SABOTAGES } from './approval_sabotages.ts';
import { CHARGE_SABOTAGES } from './charge_sabotages.ts';
import { MESSAGE_SABOTAGES } from './message_sabotages.ts';
import { DEPOSIT_SABOTAGES } from './deposit_sabotages.ts';
import { LABOR_SABOTAGES } from './labor_sabotages.ts';
import { OPERATOR_SABOTAGES } from './operator_sabotages.ts';
import { DATASET_SABOTAGES } from './dataset_sabotages.ts';
import { CLOSING_SABOTAGES } from '../console/account/closing_sabotages.ts';
import { REVIEW_SABOTAGES } from '../reviews/review_sabotages.ts';
import { RECORD_SABOTAGES } from '../records/record_sabotages.ts';
import { RECEIPT_SABOTAGES } from '../receipts/receipt_sabotages.ts';
import { ORDER_SABOTAGES } from '../orders/order_sabotages.ts';
import { TASK_SABOTAGES } from './task_sabotages.ts';
import { TOKEN_SABOTAGES } from './token_sabotages.ts';
import { X402_SABOTAGES } from './x402_sabotages.ts';
import { BALANCE_SABOTAGES } from '../deposits/balances/balance_sabotages.ts';
import { UNCLAIMED_SABOTAGES } from '../deposits/unclaimed/unclaimed_sabotages.ts';
import { WITHDRAWAL_SABOTAGES } from './withdrawal_sabotages.ts';
import { LISTED, moves, transfer, treasury, type Sabotage } from './sabotage.ts';

const TREASURY = 'each treasury holds what its transfers say';
const INFLOW = 'each treasury counts the cash that has come in to stay';
const ESCROWS = 'each treasury counts what the escrows hold that it filled';
const OVERPAID = 'no escrow has paid out more than it held';
const HELD = 'each open order is held for in full, and each closed one paid out in full';
const PAID = 'each closed order paid its seller, the platform and its buyer what its status says';
const STRAY = 'no escrow is held for an order that does not exist';
const PARTIES = 'each order has its buyer, and is of a product of its seller';
const PURCHASES = 'each finished purchase has its order, each order a finished purchase';
const WELCOME = 'each root agent has its treasury, with the welcome credit given once at most';
const TREES = 'each job and each event names the tree of its agent';
const POLICIES = 'each policy is the newest of its versions, and none of them is missing';
const SUSPENSIONS = 'each agent is suspended if somebody has suspended it last, and otherwise not';
const ANOMALIES =
  'each anomaly that suspends has suspended its agent, and no other has suspended one';
const DELIVERIES = 'each event up to the position of a webhook was sent to it, or waits to be sent';
const MAILBOXES = 'each mailbox that had the welcome credit is of an agent that was given it';
const DAYS = 'the welcome credit of each day is what was counted for its limit';

const anomaly = (agent: string, suspends: boolean) =>
  `insert into anomaly (agent_id, root_id, rule, seen, allowed, since, until, suspends)
   values (${agent}, ${agent}, 'debit_burst', 121, 120, now(), now(), ${suspends});`;

const suspended = (agent: string) =>
  `insert into suspension (agent_id, root_id, status, anomaly_id)
   select ${agent}, ${agent}, 'suspended', max(id) from anomaly;
   update agent set status = 'suspended' where id = ${agent}`;

const HOLDING = { proof: ESCROWS, also: [LISTED] };
const NO_TREASURY = { proof: WELCOME, what: 'no treasury', also: [TREASURY] };

export const SABOTAGES: readonly Sabotage[] = [
  {
    proof: 'the trial balance is zero in each sort of funds',
    what: 'what leaves as credit arrives as cash',
    sql: `create or replace view ledger.balance_change as
       select t.id as transfer_id, t.kind, t.ref, t.created_at, c.account, c.account_id, c.funds,
              c.amount
         from ledger.transfer t cross join lateral (values
           (t.from_account, t.from_id, 'credit', -t.credit),
           (t.from_account, t.from_id, 'cash', -t.cash),
           (t.to_account, t.to_id, 'cash', t.credit), (t.to_account, t.to_id, 'cash', t.cash)
         ) as c(account, account_id, funds, amount)`,
  },
  { proof: TREASURY, what: 'cash too much', sql: moves(':buyer', 'cash = cash + 1') },
  { proof: TREASURY, what: 'credit too much', sql: moves(':buyer', 'credit = credit + 1') },
  { proof: INFLOW, what: 'too much', sql: moves(':buyer', 'inflow = inflow + 1') },
  { ...HOLDING, what: 'too little cash', sql: moves(':buyer', 'escrow_cash = escrow_cash - 1') },
  { ...HOLDING, what: 'credit too much', sql: moves(':buyer', 'escrow_credit = 1') },
  { ...HOLDING, what: 'it filled none', sql: moves(':seller', 'escrow_cash = 1') },
  ...['cash', 'credit'].map((funds) => ({
    proof: OVERPAID,
    what: `${funds} too much`,
    sql: `update ledger.transfer set ${funds} = ${funds} + 1
           where kind = 'order.release' and from_id = :escrow_of_completed;
          ${moves(':seller', `${funds} = ${funds} + 1`)}`,
    also: [ESCROWS, HELD, PAID, ...(funds === 'cash' ? [INFLOW] : [])],
  })),
  {
    proof: HELD,
    what: 'an open one without an escrow',
    sql: 'update orders set escrow_id = -1 where id = :open',
    also: [STRAY],
  },
  {
    proof: HELD,
    what: 'a closed one whose cash is held still',
    sql: `update orders set status = 'completed', closed_at = now() where id = :open`,
    also: [PAID, LISTED],
  },
  {
    proof: PAID,
    what: 'a fee too small',
    sql: `update ledger.transfer set cash = cash + case kind when 'order.fee' then -1 else 1 end
           where from_account = 'escrow' and from_id = :escrow_of_completed;
          ${moves(':seller', 'cash = cash + 1')}`,
    also: [INFLOW],
  },
  {
    proof: PAID,
    what: 'cash that left before credit',
    sql: `update ledger.transfer set (credit, cash) = (select 400000, 600000)
           where kind = 'order.release' and from_id = :escrow_of_completed;
          update ledger.transfer set (credit, cash) = (select 100000, 0)
           where kind = 'order.fee' and from_id = :escrow_of_completed;
          ${moves(':seller', 'credit = credit - 100000, cash = cash + 100000')}`,
    also: [INFLOW],
  },
  {
    proof: PAID,
    what: 'a release to another',
    sql: `update ledger.transfer set (to_id, to_root) = (select :other, :other)
           where kind = 'order.release' and from_id = :escrow_of_completed;
          ${moves(':seller', 'credit = credit - 500000, cash = cash - 500000')}
          ${moves(':other', 'credit = credit + 500000, cash = cash + 500000')}`,
    also: [INFLOW],
  },
  {
    proof: PAID,
    what: 'a refund to another',
    sql: `update ledger.transfer set (to_id, to_root) = (select :other, :other)
           where kind = 'order.refund' and from_id = :escrow_of_refunded;
          ${moves(':buyer', 'cash = cash - 1100000')} ${moves(':other', 'cash = cash + 1100000')}`,
  },
  {
    proof: 'each order was paid by the tree of its buyer',
    what: 'paid by another',
    sql: `update ledger.transfer set (from_id, from_root, to_root) = (select :other, :other, :other)
           where id = :escrow_of_open;
          ${moves(':buyer', 'cash = cash + 1100000, escrow_cash = escrow_cash - 1100000')}
          ${moves(':other', 'cash = cash - 1100000, escrow_cash = escrow_cash + 1100000')}`,
    also: [LISTED],
  },
  {
    proof: PARTIES,
    what: 'a buyer of another tree',
    sql: 'update orders set buyer_root = :other where id = :open',
    also: [LISTED],
  },
  {
    proof: PARTIES,
    what: 'a product of another',
    sql: 'update product set seller_id = :other, root_id = :other',
    also: ['each dataset that is sold is a product of its seller'],
  },
  {
    proof: STRAY,
    what: 'one of no order',
    sql: 'update ledger.transfer set ref = 999999 where id = :escrow_of_open',
    also: [HELD],
  },
  {
    proof: PURCHASES,
    what: 'a purchase without an order',
    sql: 'update orders set job_id = gen_random_uuid() where id = :open',
  },
  {
    proof: PURCHASES,
    what: 'an order of a purchase that failed',
    sql: `update job set status = 'failed'
           where id = (select job_id from orders where id = :open)`,
  },
  ...CHARGE_SABOTAGES,
  ...CLOSING_SABOTAGES,
  ...DEPOSIT_SABOTAGES,
  ...UNCLAIMED_SABOTAGES,
  ...BALANCE_SABOTAGES,
  ...X402_SABOTAGES,
  ...OPERATOR_SABOTAGES,
  ...APPROVAL_SABOTAGES,
  ...TASK_SABOTAGES,
  ...DATASET_SABOTAGES,
  ...MESSAGE_SABOTAGES,
  ...LABOR_SABOTAGES,
  ...WITHDRAWAL_SABOTAGES,
  ...TOKEN_SABOTAGES,
  ...ORDER_SABOTAGES,
  ...REVIEW_SABOTAGES,
  ...RECORD_SABOTAGES,
  ...RECEIPT_SABOTAGES,
  { ...NO_TREASURY, sql: 'delete from ledger.treasury where id = :idle' },
  {
    proof: WELCOME,
    what: 'a second welcome',
    sql:
      transfer('welcome', '-1', 1, `'expense', 0, null`, treasury(':buyer')) +
      moves(':buyer', 'cash = cash + 1'),
  },
  {
    proof: TREES,
    what: 'an event',
    sql: 'update event set root_id = :seller where agent_id = :buyer',
  },
  { proof: TREES, what: 'a job', sql: 'update job set root_id = :seller where agent_id = :buyer' },
  {
    proof: POLICIES,
    what: 'a limit that nobody set',
    sql: 'update policy set daily_spend_limit = 7 where agent_id = :buyer',
  },
  {
    proof: POLICIES,
    what: 'a version that is missing',
    sql: 'delete from policy_version where agent_id = :buyer and version = 1',
  },
  {
    proof: POLICIES,
    what: 'a version after it',
    sql: `insert into policy_version
          select agent_id, 3, 'low', null, null, null, null, '{}', false, set_by, key_id, null,
                 call_id
            from policy_version where agent_id = :buyer and version = 2`,
  },
  {
    proof: SUSPENSIONS,
    what: 'one that nobody has suspended',
    sql: `update agent set status = 'suspended' where id = :idle`,
  },
  {
    proof: SUSPENSIONS,
    what: 'one that is active again by itself',
    sql: `insert into suspension (agent_id, root_id, status, set_by, key_id)
          values (:idle, :idle, 'suspended', :idle, 0)`,
  },
  { proof: ANOMALIES, what: 'one that suspended nobody', sql: anomaly(':idle', true) },
  {
    proof: ANOMALIES,
    what: 'one that suspended another agent',
    sql: `${anomaly(':idle', true)} ${suspended(':other')}`,
  },
  {
    proof: ANOMALIES,
    what: 'one that says that it did not',
    sql: `${anomaly(':idle', false)} ${suspended(':idle')}`,
  },
  { proof: DAYS, what: 'too little', sql: 'update welcome_credit set granted = granted - 500000' },
  { proof: DAYS, what: 'a day that was not counted', sql: 'delete from welcome_credit' },
  {
    proof: MAILBOXES,
    what: 'another mailbox',
    sql: `update welcome_mailbox set mailbox = 'b@example.com' where agent_id = :buyer`,
  },
  {
    proof: DELIVERIES,
    what: 'events that it has passed over',
    sql: `insert into webhook (root_id, url, description, types, secret, position, types_from)
          select :buyer, 'https://example.com', '', '{order.*}', '', max(id), 0 from event`,
  },
];
