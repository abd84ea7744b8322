import type { Transaction } from 'algosdk';

import { applyApplicationCall } from './apply_application.ts';
import { applyAssetConfig, applyAssetFreeze } from './apply_asset.ts';
import { applyAssetTransfer } from './apply_asset_transfer.ts';
import type { Block, Effects } from './effects.ts';
import { rejected } from './rejected.ts';
import { accountOf, changeAccount, isEmpty, minBalanceOf, type State } from './state.ts';

/** Address that gets the fees. */
export const FEE_SINK = 'CZ5QVFLYQEKYGWD2SLFZE3BDQ3W3J4TWNBPKIW66DLBNR7G3FUSDRFZHHY';

/** Applies the transaction in a layer of its own. Throws Rejected. */
export function applyTransaction(state: State, txn: Transaction, block: Block): Effects {
  pay(state, txn.sender.toString(), FEE_SINK, txn.fee);
  const effects = applyByType(state, txn, block);
  if (txn.rekeyTo) rekey(state, txn.sender.toString(), txn.rekeyTo.toString());
  for (const address of state.accounts.changed()) assertMinBalance(state, address);
  return effects;
}

function applyByType(state: State, txn: Transaction, block: Block): Effects {
  const { payment, assetTransfer, assetConfig, assetFreeze, applicationCall } = txn;
  if (payment) return applyPayment(state, txn);
  if (assetTransfer) return applyAssetTransfer(state, txn);
  if (assetConfig) return applyAssetConfig(state, txn, block.nextId);
  if (assetFreeze) return applyAssetFreeze(state, txn);
  if (applicationCall) return applyApplicationCall(state, txn, block);
  throw rejected(`this sandbox takes no transactions of type ${txn.type}`);
}

function applyPayment(state: State, txn: Transaction): Effects {
  const { receiver, amount, closeRemainderTo } = txn.payment!;
  const sender = txn.sender.toString();
  pay(state, sender, receiver.toString(), amount);
  if (!closeRemainderTo) return {};
  const { microAlgos, holdings, reserved } = accountOf(state, sender);
  if (holdings.size > 0) throw rejected(`cannot close: ${holdings.size} outstanding assets`);
  if (reserved > 0n) throw rejected('cannot close: it has applications or boxes');
  pay(state, sender, closeRemainderTo.toString(), microAlgos);
  return { closingAmount: microAlgos };
}

function pay(state: State, from: string, to: string, amount: bigint): void {
  const { microAlgos } = accountOf(state, from);
  if (microAlgos < amount) {
    throw rejected(
      `overspend (account ${from}, data {MicroAlgos:{Raw:${microAlgos}}}, tried to spend ` +
        `{${amount}})`,
    );
  }
  changeAccount(state, from, () => ({ microAlgos: microAlgos - amount }));
  changeAccount(state, to, (account) => ({ microAlgos: account.microAlgos + amount }));
}

function rekey(state: State, sender: string, to: string): void {
  const { authAddress: _, ...account } = accountOf(state, sender);
  state.accounts.set(sender, to === sender ? account : { ...account, authAddress: to });
}

function assertMinBalance(state: State, address: string): void {
  const account = accountOf(state, address);
  const least = minBalanceOf(account);
  if (account.microAlgos >= least || isEmpty(account) || address === FEE_SINK) return;
  throw rejected(
    `account ${address} balance ${account.microAlgos} below min ${least} ` +
      `(${account.holdings.size} assets)`,
  );
}
