import { createHash } from 'node:crypto';

import algosdk, { type SuggestedParams, type Transaction } from 'algosdk';

import { ARC72 } from '../../../shared/domains/tokens/arc72/arc72_program.ts';
import type { TokenOrder } from '../../../shared/domains/tokens/token_gateway.ts';

/** Rounds for which the network takes a signed transaction: some nine minutes. */
export const WINDOW_ROUNDS = 200n;

const MINT = algosdk.ABIMethod.fromSignature('mint(address,uint256,string)void');
/** Balance that an account must keep in micro-ALGO: for a box, and for each byte of it. */
const KEPT = { box: 2_500n, byte: 400n };
/** Bytes in the box of a token: the owner, and who is approved. */
const ADDRESSES_BYTES = 64;
const COUNT_BYTES = 8;

interface TokenContext {
  readonly sender: string;
  readonly key: string;
  readonly suggestedParams: SuggestedParams;
}

export const bytesOf = (base64: string): Buffer => Buffer.from(base64, 'base64');

/** The transactions that issue a token, which pass or fail together; the last one issues it. */
export async function groupOf(
  algod: algosdk.Algodv2,
  order: TokenOrder,
  { sender, key, suggestedParams }: TokenContext,
): Promise<Transaction[]> {
  // While a transaction with this lease is valid, the network takes no other one.
  const lease = new Uint8Array(createHash('sha256').update(`token ${key}`).digest());
  const common = { sender, lease, suggestedParams };
  switch (order.kind) {
    case 'asa':
      return [
        algosdk.makeAssetCreateTxnWithSuggestedParamsFromObject({
          ...common,
          assetName: order.name,
          unitName: order.unitName,
          total: order.totalSupply,
          decimals: order.decimals,
          // No manager, reserve, freeze or clawback address: nobody ever has a right over it.
          defaultFrozen: false,
        }),
      ];
    case 'contract':
      return [
        algosdk.makeApplicationCreateTxnFromObject({
          ...common,
          approvalProgram: new Uint8Array(bytesOf(ARC72.approval)),
          clearProgram: new Uint8Array(bytesOf(ARC72.clear)),
          numGlobalInts: 1,
          numGlobalByteSlices: 0,
          numLocalInts: 0,
          numLocalByteSlices: 0,
          onComplete: algosdk.OnApplicationComplete.NoOpOC,
        }),
      ];
    case 'nft':
      return mintingOf(algod, order, common);
    case 'collection':
      throw new Error('collections are on Solana');
  }
}

type Nft = Extract<TokenOrder, { kind: 'nft' }>;

/** The call, after a payment of the balance that the contract has to keep, if it lacks any. */
async function mintingOf(
  algod: algosdk.Algodv2,
  { contract, number, address, uri }: Nft,
  common: { sender: string; lease: Uint8Array; suggestedParams: SuggestedParams },
): Promise<Transaction[]> {
  const args = [address, number, uri].map((value, n) =>
    (MINT.args[n]!.type as algosdk.ABIType).encode(value),
  );
  const [owner, id] = args;
  const boxes = [
    { name: named('t', id!), bytes: ADDRESSES_BYTES + Buffer.byteLength(uri) },
    { name: named('b', owner!), bytes: COUNT_BYTES },
  ];
  const call = algosdk.makeApplicationNoOpTxnFromObject({
    ...common,
    appIndex: contract,
    appArgs: [MINT.getSelector(), ...args],
    boxes: boxes.map(({ name }) => ({ appIndex: contract, name })),
  });
  const application = algosdk.getApplicationAddress(contract).toString();
  const { amount, minBalance } = await algod.accountInformation(application).do();
  const kept = boxes.reduce(
    (sum, { name, bytes }) => sum + KEPT.box + KEPT.byte * BigInt(name.length + bytes),
    0n,
  );
  const lacks = BigInt(minBalance) + kept - amount;
  if (lacks <= 0n) return [call];
  const { sender, suggestedParams } = common;
  const payment = algosdk.makePaymentTxnWithSuggestedParamsFromObject({
    sender,
    receiver: application,
    amount: lacks,
    suggestedParams,
  });
  return algosdk.assignGroupID([payment, call]);
}

const named = (letter: string, name: Uint8Array): Uint8Array =>
  new Uint8Array(Buffer.concat([Buffer.from(letter), name]));
