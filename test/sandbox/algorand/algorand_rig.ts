import algosdk, { type Account, type Transaction } from 'algosdk';

import {
  openAlgorand,
  type Algorand,
  type AlgorandOptions,
} from '../../../sandbox/algorand/algorand.ts';

/** The sandbox and the unmodified SDK that talks to it. */
export interface AlgorandRig {
  readonly node: Algorand;
  readonly algod: algosdk.Algodv2;
  readonly indexer: algosdk.Indexer;
  /** Has all money at first. */
  readonly bank: Account;
  /** A new account with so many millionths of an ALGO. */
  account(microAlgos?: number): Promise<Account>;
  /** The amount and more go into a payment of the SDK. */
  payment(from: Account, to: Account, fields?: Fields): Promise<Transaction>;
  transfer(from: Account, to: Account, fields: Fields & { asset: bigint }): Promise<Transaction>;
  /** Signs, sends and waits for it. */
  send(transaction: Transaction, signer: Account): Promise<Sent>;
  /** Sends what is signed; what the node says when it does not take it. */
  refusalOf(bytes: Uint8Array | Uint8Array[]): Promise<string>;
  close(): Promise<void>;
}

interface Sent {
  readonly id: string;
  readonly info: algosdk.modelsv2.PendingTransactionResponse;
}

interface Fields {
  readonly amount?: number | bigint;
  readonly note?: string;
  readonly close?: Account;
  readonly rekeyTo?: Account;
  readonly lease?: Uint8Array;
  readonly clawbackFrom?: Account;
  readonly fee?: number;
}

export async function openAlgorandRig(
  options: Omit<AlgorandOptions, 'bank'> & { readonly bank?: Account } = {},
): Promise<AlgorandRig> {
  const { bank = algosdk.generateAccount(), ...others } = options;
  const node = await openAlgorand({ ...others, bank: bank.addr.toString() });
  const { port } = new URL(node.algodUrl);
  const algod = new algosdk.Algodv2('', 'http://127.0.0.1', port);
  const indexer = new algosdk.Indexer('', 'http://127.0.0.1/idx', port);

  async function common({ note, rekeyTo, lease, fee }: Fields) {
    const suggested = await algod.getTransactionParams().do();
    return {
      suggestedParams: fee === undefined ? suggested : { ...suggested, fee, flatFee: true },
      ...(note && { note: new TextEncoder().encode(note) }),
      ...(rekeyTo && { rekeyTo: rekeyTo.addr }),
      ...(lease && { lease }),
    };
  }

  const rig: AlgorandRig = {
    node,
    algod,
    indexer,
    bank,
    async account(microAlgos = 10_000_000) {
      const account = algosdk.generateAccount();
      if (microAlgos)
        await rig.send(await rig.payment(bank, account, { amount: microAlgos }), bank);
      return account;
    },
    async payment(from, to, fields = {}) {
      return algosdk.makePaymentTxnWithSuggestedParamsFromObject({
        sender: from.addr,
        receiver: to.addr,
        amount: fields.amount ?? 1_000_000,
        ...(fields.close && { closeRemainderTo: fields.close.addr }),
        ...(await common(fields)),
      });
    },
    async transfer(from, to, fields) {
      return algosdk.makeAssetTransferTxnWithSuggestedParamsFromObject({
        sender: from.addr,
        receiver: to.addr,
        amount: fields.amount ?? 0,
        assetIndex: fields.asset,
        ...(fields.close && { closeRemainderTo: fields.close.addr }),
        ...(fields.clawbackFrom && { assetSender: fields.clawbackFrom.addr }),
        ...(await common(fields)),
      });
    },
    async send(transaction, signer) {
      const { txid } = await algod.sendRawTransaction(transaction.signTxn(signer.sk)).do();
      return { id: txid, info: await algosdk.waitForConfirmation(algod, txid, 4) };
    },
    async refusalOf(bytes) {
      try {
        await algod.sendRawTransaction(bytes).do();
      } catch (error) {
        return (error as Error).message;
      }
      return 'it was taken';
    },
    close: () => node.close(),
  };
  return rig;
}
