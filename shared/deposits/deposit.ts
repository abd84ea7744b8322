import { toUsd, type Micros } from '../ledger/money.ts';
import { RAILS, type Rail } from '../ledger/ledger.ts';
import { Amount, Id, Nullable, OneOf, Output, Text, Time } from '../kernel/schema.ts';
import { column, nullable, oneOf, type Row } from '../platform/rows.ts';
import { shownNetwork } from './chain/networks.ts';

/** How many dollars a whole unit of an asset was worth, who said so, and when. */
export interface Rate {
  /** A decimal number. */
  readonly price: string;
  readonly source: string;
  readonly at: Date;
}

/** The rate of what is dollars already. */
export const dollarsAt = (at: Date): Rate => ({ price: '1', source: 'par', at });

/** Who paid whom by a chain, and what says for whom. */
export interface Evidence {
  readonly sender: string;
  readonly recipient: string;
  /** Of its block. */
  readonly position: number;
  readonly paidAt: Date;
  /** A reference in the payment, an address of one agent, or a wallet that the agent has linked. */
  readonly boundBy: 'reference' | 'address' | 'wallet';
}

/** A payment, before it is converted. */
export interface Receipt {
  readonly rail: Rail;
  readonly network: string;
  /** With `index`, once a network: spelled in one way only. */
  readonly txId: string;
  /** Of the transfers in that transaction. */
  readonly index?: number;
  /** Its sign or ticker, as USDC. */
  readonly asset: string;
  /** In base units of the asset. */
  readonly amount: bigint;
  /** Whose it is; the tree of this agent gets it. */
  readonly agentId: number;
  readonly rootId: number;
  /** Of a payment by chain. */
  readonly evidence?: Evidence;
}

/** A payment that has come in for good. */
export interface Payment extends Receipt {
  /** What it is worth by the rate. */
  readonly usd: Micros;
  readonly rate: Rate;
}

export const DEPOSIT_STATUSES = [
  'detected',
  'confirming',
  'credited',
  'rejected',
  'reversed',
] as const;

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
  rail: OneOf(RAILS, 'How it came in.'),
  network: Text(1, 40, 'Where it was paid; sandbox: a network of this machine, without value.'),
  tx_id: Text(1, 200, 'The payment, as that network names it.'),
  status: OneOf(
    DEPOSIT_STATUSES,
    'detected: it may still be dropped. confirming: it is final, and waits for what reason says. ' +
      'credited: it is in the wallet. reversed: it was taken back.',
  ),
  amount: Text(1, 100, 'In base units of the asset, an integer.'),
  asset: Text(1, 20, 'What was paid.'),
  usd: Nullable(Amount('What the wallet got for it; null: nothing yet.')),
  reason: Nullable(Text(1, 300, 'Why it is not credited yet, or never; null: it was.')),
  rate: Nullable(
    Output({
      price: Text(1, 60, 'Dollars for a whole unit of the asset.'),
      source: Text(1, 60, 'Who said so.'),
      at: Time('When.'),
    }),
  ),
  agent_id: Id('Whose it is.'),
});

export const viewOf = (deposit: Deposit) => ({
  deposit_id: deposit.id,
  rail: deposit.rail,
  network: shownNetwork(deposit.network),
  tx_id: deposit.tx_id,
  status: deposit.status,
  amount: deposit.amount,
  asset: deposit.asset,
  usd: deposit.usd === null ? null : toUsd(deposit.usd),
  reason: deposit.waits_for,
  rate: deposit.rate_at && {
    price: deposit.rate_price!,
    source: deposit.rate_source!,
    at: deposit.rate_at.toISOString(),
  },
  agent_id: deposit.agent_id,
});
