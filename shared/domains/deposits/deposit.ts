import { toUsd, type Micros } from '../../kernel/money.ts';
import { RAILS, type Rail } from '../ledger/ledger.ts';
import { Amount, Id, Nullable, OneOf, Output, Text, Time } from '../../kernel/schema.ts';
import { column, nullable, oneOf, type Row } from '../../platform/rows.ts';
import { shownNetwork } from './chain/networks.ts';

/** Price of a whole unit of an asset in dollars, with its source and time. */
export interface Rate {
  /** A decimal number. */
  readonly price: string;
  readonly source: string;
  readonly at: Date;
}

/** The rate of dollars themselves. */
export const dollarsAt = (at: Date): Rate => ({ price: '1', source: 'par', at });

/** Sender and recipient of a payment by chain, and the reason it is bound to its agent. */
export interface Evidence {
  readonly sender: string;
  readonly recipient: string;
  /** Position of its block. */
  readonly position: number;
  readonly paidAt: Date;
  /**
   * A reference in the payment, an address of one agent, a wallet that the agent has linked, or two
   * operators.
   */
  readonly boundBy: 'reference' | 'address' | 'wallet' | 'operator';
}

/** A payment, before it is converted. */
export interface Receipt {
  readonly rail: Rail;
  readonly network: string;
  /** Id in canonical form; unique on a network together with `index`. */
  readonly txId: string;
  /** Index among the transfers of the transaction. */
  readonly index?: number;
  /** Symbol, as USDC. */
  readonly asset: string;
  /** Amount in base units of the asset. */
  readonly amount: bigint;
  /** The agent that it is credited to; the money goes to its tree. */
  readonly agentId: number;
  readonly rootId: number;
  /** Evidence of a payment by chain. */
  readonly evidence?: Evidence;
}

/** A final payment. */
export interface Payment extends Receipt {
  /** Value by the rate. */
  readonly usd: Micros;
  readonly rate: Rate;
}

/** The statuses of payments that an agent can see. Those of nobody are unclaimed. */
export const DEPOSIT_STATUSES = [
  'detected',
  'confirming',
  'credited',
  'rejected',
  'reversed',
  'held',
  'returned',
] as const;

/** A payment that is, or may become, credited to an agent. */
export const DEPOSIT = {
  id: column.id,
  rail: oneOf<Rail>(),
  network: column.text,
  tx_id: column.text,
  tx_index: column.int,
  status: oneOf<(typeof DEPOSIT_STATUSES)[number]>(),
  asset: column.text,
  amount: column.text,
  usd: nullable(column.micros),
  rate_price: nullable(column.text),
  rate_source: nullable(column.text),
  rate_at: nullable(column.time),
  reversed: column.micros,
  suspended: nullable(column.micros),
  waits_for: nullable(column.text),
  agent_id: column.id,
  root_id: column.id,
};
export type Deposit = Row<typeof DEPOSIT>;

/** The columns of DEPOSIT in SQL. */
export const DEPOSIT_SQL = Object.keys(DEPOSIT)
  .map((name) => (['amount', 'rate_price'].includes(name) ? `${name}::text` : name))
  .join(', ');

export const DepositView = Output('Deposit', {
  deposit_id: Id('The deposit.'),
  rail: OneOf(RAILS, 'Payment method.'),
  network: Text(1, 40, 'Network; sandbox: test money.'),
  tx_id: Text(1, 200, 'Id of the payment on the network.'),
  status: OneOf(
    DEPOSIT_STATUSES,
    'detected: may still be dropped. confirming: final, waiting (see reason). credited: in the ' +
      'wallet. reversed: taken back. held: too small, or so large that operators decide. returned: ' +
      'paid back.',
  ),
  amount: Text(1, 100, 'Integer, in base units of the asset.'),
  asset: Text(1, 20, 'Asset paid.'),
  usd: Nullable(Amount('Amount credited; null: none yet.')),
  reason: Nullable(Text(1, 300, 'Reason it is not credited; null: it is.')),
  rate: Nullable(
    Output({
      price: Text(1, 60, 'Dollars per whole unit of the asset.'),
      source: Text(1, 60, 'Source of the price.'),
      at: Time('Time of the price.'),
    }),
  ),
  agent_id: Id('The agent credited.'),
});

/** Whether it has come into the wallet, also if it was taken back later. */
export const isCredited = ({ status }: Pick<Deposit, 'status'>): boolean =>
  status === 'credited' || status === 'reversed';

export const viewOf = (deposit: Deposit) => ({
  deposit_id: deposit.id,
  rail: deposit.rail,
  network: shownNetwork(deposit.network),
  tx_id: deposit.tx_id,
  status: deposit.status,
  amount: deposit.amount,
  asset: deposit.asset,
  usd: deposit.usd !== null && isCredited(deposit) ? toUsd(deposit.usd) : null,
  reason: deposit.waits_for,
  rate: deposit.rate_at && {
    price: deposit.rate_price!,
    source: deposit.rate_source!,
    at: deposit.rate_at.toISOString(),
  },
  agent_id: deposit.agent_id,
});
