import type { Tx } from '../../../kernel/tx.ts';
import { lockTreasuries } from '../../ledger/ledger.ts';
import { creditDeposit } from '../credit.ts';
import type { Deposit } from '../deposit.ts';
import { countedInBalances } from '../balances/balance_receipt.ts';
import { awaitDeposit, rejectDeposit, type ChainReceipt } from './await_deposit.ts';
import { bind, type Binding } from './bind.ts';
import type { ChainTransfer } from './deposit_chain.ts';
import { chainOf, type PaidRail } from './networks.ts';
import { valueOf, type Prices } from '../prices/deposit_value.ts';
import { hold, isCreditable } from '../unclaimed/hold.ts';
import { findSuspended, suspend, type Value } from '../unclaimed/suspend.ts';

/** Payments to us on one network. */
interface Payments {
  readonly rail: PaidRail;
  /** Name of the network in deposits. */
  readonly network: string;
  readonly transfers: readonly ChainTransfer[];
  /** Whether their blocks are final. */
  readonly isFinal: boolean;
  /** Prices of their assets; not needed before they are final. */
  readonly prices: Prices;
}

/** The result for one payment. No deposit: it is bound to nobody, or was paid back. */
export interface SettledPayment {
  readonly transfer: ChainTransfer;
  readonly binding: Binding | undefined;
  readonly deposit: Deposit | undefined;
}

/**
 * Credits each payment once to the agent it is bound to, or records why it waits; a final one that
 * is bound to nobody is unclaimed. Locks the trees, so call it before anything else is locked.
 */
export async function settle(tx: Tx, payments: Payments): Promise<readonly SettledPayment[]> {
  const { rail, network, transfers } = payments;
  const bindings = await bind(tx.db, { family: chainOf(rail).family, network }, transfers);
  const trees = bindings.flatMap((binding) => binding?.rootId ?? []);
  await lockTreasuries(tx.db, [...new Set(trees)]);
  const counted = await countedInBalances(tx.db, network, transfers);
  const settled: SettledPayment[] = [];
  for (const [number, transfer] of transfers.entries()) {
    if (counted.has(transfer)) {
      settled.push({ transfer, binding: undefined, deposit: undefined });
      continue;
    }
    const binding = bindings[number];
    const deposit = binding && (await settleOne(tx, payments, transfer, binding));
    if (!deposit && payments.isFinal) await keepUnclaimed(tx, payments, transfer);
    settled.push({ transfer, binding, deposit });
  }
  return settled;
}

async function settleOne(
  tx: Tx,
  { rail, network, isFinal, prices }: Payments,
  transfer: ChainTransfer,
  { agentId, rootId, boundBy }: Binding,
): Promise<Deposit | undefined> {
  const { txId, index, asset, amount, from: sender, to: recipient, position, at } = transfer;
  const evidence = { sender, recipient, position, paidAt: at, boundBy };
  const receipt = { rail, network, txId, index, asset, amount, agentId, rootId, evidence };
  const before = await findSuspended(tx.db, receipt);
  if (before?.status === 'returned') return undefined;
  if (before) return creditValued(tx, receipt, before);
  return isFinal
    ? creditFinal(tx, receipt, prices)
    : awaitDeposit(tx, receipt, 'detected', 'Its block is not final yet.');
}

/**
 * Credits a final payment; without a price it waits, and too small or too large a one is held. Its
 * tree is locked.
 */
export async function creditFinal(tx: Tx, receipt: ChainReceipt, prices: Prices): Promise<Deposit> {
  const value = await valueOf(tx.db, receipt, prices);
  return 'unpriced' in value
    ? awaitDeposit(tx, receipt, 'confirming', value.unpriced)
    : creditValued(tx, receipt, value);
}

async function creditValued(tx: Tx, receipt: ChainReceipt, value: Value): Promise<Deposit> {
  if (!isCreditable(tx.config, value.usd)) return hold(tx, receipt, value);
  const { usd, rate } = value;
  return (await creditDeposit(tx, { ...receipt, usd, rate })).deposit;
}

/** Records a final payment of nobody. Its value is found later if there is no price. */
async function keepUnclaimed(
  tx: Tx,
  { rail, network, prices }: Payments,
  transfer: ChainTransfer,
): Promise<void> {
  const { txId, index, asset, amount, from: sender, to: recipient, position, at } = transfer;
  const evidence = { sender, recipient, position, paidAt: at };
  const receipt = { rail, network, txId, index, asset, amount, evidence };
  await rejectDeposit(tx, receipt, UNBOUND);
  const value = await valueOf(tx.db, receipt, prices);
  await suspend(tx, receipt, {
    status: 'unclaimed',
    why: UNBOUND,
    value: 'unpriced' in value ? undefined : value,
    note: transfer.reference,
  });
}

const UNBOUND = 'Nothing in it says whose it is, or it is older than the account that it names.';
