import type { Tx } from '../../kernel/operation.ts';
import { lockTreasuries } from '../../ledger/ledger.ts';
import { fromUsd } from '../../ledger/money.ts';
import { creditDeposit } from '../credit.ts';
import type { Deposit } from '../deposit.ts';
import { awaitDeposit, rejectDeposit, type ChainReceipt } from './await_deposit.ts';
import { bind, type Binding } from './bind.ts';
import type { ChainTransfer } from './deposit_chain.ts';
import { CHAINS, type ChainRail } from './networks.ts';
import { valueOf, type Prices } from '../prices/value_of.ts';

/** Payments to us, in one network. */
export interface Payments {
  readonly rail: ChainRail;
  /** As deposits name it. */
  readonly network: string;
  readonly transfers: readonly ChainTransfer[];
  /** Their blocks are. */
  readonly isFinal: boolean;
  /** Of their assets; not needed before they are final. */
  readonly prices: Prices;
}

/** What became of one. Without a deposit it is nobody's, or worth too little. */
export interface Settled {
  readonly transfer: ChainTransfer;
  readonly binding: Binding | undefined;
  readonly deposit: Deposit | undefined;
}

/**
 * Credits each payment to whom it is bound, once, or notes for what it waits. Locks their trees, so
 * call it before anything else is locked.
 */
export async function settle(tx: Tx, payments: Payments): Promise<readonly Settled[]> {
  const { rail, network, transfers } = payments;
  const bindings = await bind(tx.db, { family: CHAINS[rail].family, network }, transfers);
  const trees = bindings.flatMap((binding) => binding?.rootId ?? []);
  await lockTreasuries(tx.db, [...new Set(trees)]);
  const settled: Settled[] = [];
  for (const [number, transfer] of transfers.entries()) {
    const binding = bindings[number];
    const deposit = binding && (await settleOne(tx, payments, transfer, binding));
    if (!deposit && payments.isFinal) {
      await rejectDeposit(tx, { network: payments.network, ...transfer }, REJECTED);
    }
    settled.push({ transfer, binding, deposit });
  }
  return settled;
}

export const REJECTED =
  'It is worth less than is credited, or was bound to nobody when it was final.';
/** Of what is worth more, in micro-dollars, somebody has to find out what it is. */
const VALUE_MAX = 10n ** 15n;
const TOO_MUCH = 'It is worth so much that an operator has to look at it.';

function settleOne(
  tx: Tx,
  { rail, network, isFinal, prices }: Payments,
  transfer: ChainTransfer,
  { agentId, rootId, boundBy }: Binding,
): Promise<Deposit | undefined> {
  const { txId, index, asset, amount, from: sender, to: recipient, position, at } = transfer;
  const evidence = { sender, recipient, position, paidAt: at, boundBy };
  const receipt = { rail, network, txId, index, asset, amount, agentId, rootId, evidence };
  return isFinal
    ? creditFinal(tx, receipt, prices)
    : awaitDeposit(tx, receipt, 'detected', 'Its block is not final yet.');
}

/** Without a price it waits. Undefined: it is worth too little. Its tree is locked. */
export async function creditFinal(
  tx: Tx,
  receipt: ChainReceipt,
  prices: Prices,
): Promise<Deposit | undefined> {
  const value = await valueOf(tx.db, receipt, prices);
  if ('unpriced' in value) return awaitDeposit(tx, receipt, 'confirming', value.unpriced);
  if (value.usd > VALUE_MAX) return awaitDeposit(tx, receipt, 'confirming', TOO_MUCH);
  if (value.usd < fromUsd(tx.config.deposits.chainMin)) return undefined;
  return (await creditDeposit(tx, { ...receipt, ...value })).deposit;
}
