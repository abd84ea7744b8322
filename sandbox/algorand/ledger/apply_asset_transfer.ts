import type { Transaction } from 'algosdk';

import type { Effects } from './effects.ts';
import { rejected } from './rejected.ts';
import { accountOf, setHolding, type Holding, type State } from './state.ts';

/** An opt-in, a transfer, or a clawback; with `closeRemainderTo`, the end of the opt-in. */
export function applyAssetTransfer(state: State, txn: Transaction): Effects {
  const { assetIndex: asset, amount, assetSender, receiver, closeRemainderTo } = txn.assetTransfer!;
  const sender = txn.sender.toString();
  const from = (assetSender ?? txn.sender).toString();
  const to = receiver.toString();
  if (assetSender) assertClawback(state, asset, sender);
  if (assetSender && closeRemainderTo) throw rejected('cannot close asset by clawback');

  const isOptIn = !assetSender && sender === to && amount === 0n;
  if (isOptIn && !holdingOf(state, sender, asset)) {
    const params = state.assets.get(asset);
    if (!params) throw rejected(`asset ${asset} does not exist or has been deleted`);
    setHolding(state, sender, asset, { amount: 0n, isFrozen: params.defaultFrozen });
  } else {
    move(state, asset, { from, to, amount, isClawback: assetSender !== undefined });
  }
  return closeRemainderTo ? close(state, asset, sender, closeRemainderTo.toString()) : {};
}

interface Move {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  /** A clawback may also move frozen holdings. */
  readonly isClawback: boolean;
}

function move(state: State, asset: bigint, { from, to, amount, isClawback }: Move): void {
  // An amount of 0 needs no opt-in.
  if (amount === 0n) return;
  const giver = optedIn(state, from, asset);
  optedIn(state, to, asset);
  const isFrozen = [from, to].some((address) => holdingOf(state, address, asset)!.isFrozen);
  if (isFrozen && !isClawback) throw rejected(`asset ${asset} frozen in ${from} or ${to}`);
  if (giver.amount < amount) {
    throw rejected(
      `underflow on subtracting ${amount} from sender amount ${giver.amount} of asset ${asset}`,
    );
  }
  setHolding(state, from, asset, { ...giver, amount: giver.amount - amount });
  const taker = optedIn(state, to, asset);
  setHolding(state, to, asset, { ...taker, amount: taker.amount + amount });
}

function close(state: State, asset: bigint, sender: string, to: string): Effects {
  if (state.assets.get(asset)?.creator === sender) {
    throw rejected('cannot close asset ID in allocating account');
  }
  const { amount } = optedIn(state, sender, asset);
  // Frozen holdings may go back to the creator.
  const isClawback = state.assets.get(asset)?.creator === to;
  move(state, asset, { from: sender, to, amount, isClawback });
  setHolding(state, sender, asset);
  return { assetClosingAmount: amount };
}

function assertClawback(state: State, asset: bigint, sender: string): void {
  if (state.assets.get(asset)?.clawback === sender) return;
  throw rejected(`clawback not allowed: sender ${sender} is not the clawback address of ${asset}`);
}

const holdingOf = (state: State, address: string, asset: bigint): Holding | undefined =>
  accountOf(state, address).holdings.get(asset);

function optedIn(state: State, address: string, asset: bigint): Holding {
  const holding = holdingOf(state, address, asset);
  if (holding) return holding;
  throw rejected(`receiver error: must optin, asset ${asset} missing from ${address}`);
}
