import { column, oneOf, type Row } from '../../platform/rows.ts';
import type { ChainReceipt } from './chain/await_deposit.ts';
import type { Payment } from './deposit.ts';
import type { PaidRail } from './chain/networks.ts';

/** A recorded payment by chain, with the agent that it is bound to. */
export const STORED_RECEIPT = {
  id: column.id,
  rail: oneOf<PaidRail>(),
  network: column.text,
  tx_id: column.text,
  tx_index: column.int,
  asset: column.text,
  amount: column.text,
  agent_id: column.id,
  root_id: column.id,
  sender: column.text,
  recipient: column.text,
  position: column.int,
  paid_at: column.time,
  bound_by: oneOf<ChainReceipt['evidence']['boundBy']>(),
};

/** The columns of STORED_RECEIPT in SQL. */
export const STORED_RECEIPT_SQL = Object.keys(STORED_RECEIPT)
  .map((name) => (name === 'amount' ? 'amount::text' : name))
  .join(', ');

export const receiptOf = (stored: Row<typeof STORED_RECEIPT>): ChainReceipt => ({
  rail: stored.rail,
  network: stored.network,
  txId: stored.tx_id,
  index: stored.tx_index,
  asset: stored.asset,
  amount: BigInt(stored.amount),
  agentId: stored.agent_id,
  rootId: stored.root_id,
  evidence: {
    sender: stored.sender,
    recipient: stored.recipient,
    position: stored.position,
    paidAt: stored.paid_at,
    boundBy: stored.bound_by,
  },
});

/** A recorded payment with its value when it was paid. */
export const STORED_PAYMENT = {
  ...STORED_RECEIPT,
  usd: column.micros,
  rate_price: column.text,
  rate_source: column.text,
  rate_at: column.time,
};

/** The columns of STORED_PAYMENT in SQL. */
export const STORED_PAYMENT_SQL = `${STORED_RECEIPT_SQL},
  usd, rate_price::text, rate_source, rate_at`;

export const paymentOf = (stored: Row<typeof STORED_PAYMENT>): Payment => ({
  ...receiptOf(stored),
  usd: stored.usd,
  rate: { price: stored.rate_price, source: stored.rate_source, at: stored.rate_at },
});
