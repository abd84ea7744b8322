import type { Tx } from '../../../kernel/tx.ts';
import { lockTreasuries } from '../../ledger/ledger.ts';
import { fromUsd } from '../../../kernel/money.ts';
import { creditDeposit } from '../credit.ts';
import type { Deposit } from '../deposit.ts';
import { awaitDeposit, rejectDeposit, type ChainReceipt } from './await_deposit.ts';
import { bind, type Binding } from './bind.ts';
import type { ChainTransfer } from './deposit_chain.ts';
import { CHAINS, type ChainRail } from './networks.ts';
import { valueOf, type Prices } from '../prices/deposit_value.ts';

/** Payments to us on one network. */
export interface Payments {
  readonly rail: ChainRail;
  /** Name of the network in deposits. */
  readonly network: string;
  readonly transfers: readonly ChainTransfer[];
  /** Whether their blocks are final. */
  readonly isFinal: boolean;
  /** Prices of their assets; not needed before they are final. */
  readonly prices: Prices;
}

/** The result for one payment. No deposit: it is bound to nobody, or worth too little. */
export interface SettledPayment {
  readonly transfer: ChainTransfer;
  readonly binding: Binding | undefined;
  readonly deposit: Deposit | undefined;
}

/**
 * Credits each payment once to the agent it is bound to, or records why it waits. Locks the trees,
 * so call it before anything else is locked.
 */
export async function settle(tx: Tx, payments: Payments): Promise<readonly SettledPayment[]> {
  const { rail, network, transfers } = payments;
  const bindings = await bind(tx.db, { family: CHAINS[rail].family, network }, transfers);
  const trees = bindings.flatMap((binding) => binding?.rootId ?? []);
  await lockTreasuries(tx.db, [...new Set(trees)]);
  const settled: SettledPayment[] = [];
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

export const REJECTED = 'It is worth less than the minimum, or named no agent when it was final.';
/** Micro-dollars above which an operator must check a payment. */
const VALUE_MAX = 10n ** 15n;
const TOO_MUCH = 'An operator has to check it because of its size.';

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

/** Credits a final payment; without a price it waits. Undefined: too small. Its tree is locked. */
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
