import { createHash } from 'node:crypto';

import algosdk, { type SuggestedParams, type Transaction } from 'algosdk';

import { ARC72 } from '../../../shared/domains/tokens/arc72/arc72_program.ts';
import { keptForNft } from '../../../shared/domains/tokens/locked.ts';
import type { Nft, TokenOrder } from '../../../shared/domains/tokens/token_gateway.ts';

/** Rounds for which the network takes a signed transaction: some nine minutes. */
export const WINDOW_ROUNDS = 200n;

const MINT = algosdk.ABIMethod.fromSignature('mint(address,uint256,string)void');
interface TokenContext {
  readonly sender: string;
  readonly suggestedParams: SuggestedParams;
}

export const bytesOf = (base64: string): Buffer => Buffer.from(base64, 'base64');

/** A lease: while a transaction with it is valid, the network takes no other one. */
const leaseOf = (key: string): Uint8Array =>
  new Uint8Array(createHash('sha256').update(`token ${key}`).digest());

/** The transaction that issues a token. */
export function transactionOf(
  order: TokenOrder,
  { sender, key, suggestedParams }: TokenContext & { readonly key: string },
): Transaction {
  const common = { sender, lease: leaseOf(key), suggestedParams };
  switch (order.kind) {
    case 'asa':
      return algosdk.makeAssetCreateTxnWithSuggestedParamsFromObject({
        ...common,
        assetName: order.name,
        unitName: order.unitName,
        total: order.totalSupply,
        decimals: order.decimals,
        // No manager, reserve, freeze or clawback address: nobody ever has a right over it.
        defaultFrozen: false,
      });
    case 'contract':
      return algosdk.makeApplicationCreateTxnFromObject({
        ...common,
        approvalProgram: new Uint8Array(bytesOf(ARC72.approval)),
        clearProgram: new Uint8Array(bytesOf(ARC72.clear)),
        numGlobalInts: 1,
        numGlobalByteSlices: 0,
        numLocalInts: 0,
        numLocalByteSlices: 0,
        onComplete: algosdk.OnApplicationComplete.NoOpOC,
      });
    case 'claim':
      return algosdk.makeAssetTransferTxnWithSuggestedParamsFromObject({
        ...common,
        receiver: order.address,
        assetIndex: order.asset,
        amount: order.amount,
      });
    case 'collection':
      throw new Error('collections are on Solana');
  }
}

/** The calls in their order, after a payment of what the contract has to keep, if it lacks any. */
export async function mintingOf(
  algod: algosdk.Algodv2,
  { contract, nfts }: { readonly contract: number; readonly nfts: readonly Nft[] },
  { sender, suggestedParams }: TokenContext,
): Promise<Transaction[]> {
  let kept = 0n;
  const calls = nfts.map(({ key, ...nft }) => {
    const { appArgs, boxes } = mintOf(nft);
    kept += keptForNft(nft.uri);
    return algosdk.makeApplicationNoOpTxnFromObject({
      sender,
      suggestedParams,
      lease: leaseOf(key),
      appIndex: contract,
      appArgs,
      boxes: boxes.map((name) => ({ appIndex: contract, name })),
    });
  });
  const application = algosdk.getApplicationAddress(contract).toString();
  const { amount, minBalance } = await algod.accountInformation(application).do();
  const lacks = BigInt(minBalance) + kept - amount;
  const payment =
    lacks > 0n
      ? [
          algosdk.makePaymentTxnWithSuggestedParamsFromObject({
            sender,
            receiver: application,
            amount: lacks,
            suggestedParams,
          }),
        ]
      : [];
  const group = [...payment, ...calls];
  return group.length === 1 ? group : algosdk.assignGroupID(group);
}

/** The arguments of a minting, and the names of the boxes that it makes. */
function mintOf({ number, address, uri }: Omit<Nft, 'key'>) {
  const args = [address, number, uri].map((value, n) =>
    (MINT.args[n]!.type as algosdk.ABIType).encode(value),
  );
  const [owner, id] = args;
  const boxes = [named('t', id!), named('b', owner!)];
  return { appArgs: [MINT.getSelector(), ...args], boxes };
}

const named = (letter: string, name: Uint8Array): Uint8Array =>
  new Uint8Array(Buffer.concat([Buffer.from(letter), name]));
