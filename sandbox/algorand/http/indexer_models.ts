import { encodeAddress, indexerModels as models, type SignedTransaction } from 'algosdk';

import { GENESIS_HASH, GENESIS_ID } from '../genesis.ts';
import type { Chain, TakenTransaction } from '../ledger/chain.ts';
import { PROTOCOL } from './block_model.ts';
import { defined } from './defined.ts';

/** The state of the ledger, in the models of the indexer. */

export function transactionModel({ id, signed, effects, round, index, time }: TakenTransaction) {
  const { txn } = signed;
  const { note, logs } = { note: txn.note, logs: effects.logs };
  return new models.Transaction(
    defined({
      id,
      fee: txn.fee,
      firstValid: txn.firstValid,
      lastValid: txn.lastValid,
      sender: txn.sender.toString(),
      txType: txn.type,
      confirmedRound: round,
      roundTime: time,
      intraRoundOffset: index,
      genesisHash: GENESIS_HASH,
      genesisId: txn.genesisID,
      note: note.length > 0 ? note : undefined,
      lease: txn.lease,
      group: txn.group,
      rekeyTo: txn.rekeyTo,
      authAddr: signed.sgnr,
      closingAmount: effects.closingAmount,
      createdAssetIndex: effects.assetIndex,
      createdApplicationIndex: effects.applicationIndex,
      logs: logs && logs.length > 0 ? [...logs] : undefined,
      signature: signatureModel(signed),
      ...byType(signed, effects),
    }),
  );
}

function byType({ txn }: SignedTransaction, effects: TakenTransaction['effects']) {
  const { payment, assetTransfer, assetConfig, assetFreeze, applicationCall } = txn;
  return {
    paymentTransaction:
      payment &&
      new models.TransactionPayment(
        defined({
          amount: payment.amount,
          receiver: payment.receiver.toString(),
          closeAmount: effects.closingAmount,
          closeRemainderTo: payment.closeRemainderTo?.toString(),
        }),
      ),
    assetTransferTransaction:
      assetTransfer &&
      new models.TransactionAssetTransfer(
        defined({
          amount: assetTransfer.amount,
          assetId: assetTransfer.assetIndex,
          receiver: assetTransfer.receiver.toString(),
          sender: assetTransfer.assetSender?.toString(),
          closeAmount: effects.assetClosingAmount,
          closeTo: assetTransfer.closeRemainderTo?.toString(),
        }),
      ),
    assetConfigTransaction:
      assetConfig &&
      new models.TransactionAssetConfig({
        assetId: assetConfig.assetIndex,
        params: new models.AssetParams(
          defined({
            creator: txn.sender.toString(),
            total: assetConfig.total,
            decimals: assetConfig.decimals,
            defaultFrozen: assetConfig.defaultFrozen,
            name: assetConfig.assetName,
            unitName: assetConfig.unitName,
            url: assetConfig.assetURL,
            manager: assetConfig.manager?.toString(),
            reserve: assetConfig.reserve?.toString(),
            freeze: assetConfig.freeze?.toString(),
            clawback: assetConfig.clawback?.toString(),
          }),
        ),
      }),
    assetFreezeTransaction:
      assetFreeze &&
      new models.TransactionAssetFreeze({
        address: assetFreeze.freezeAccount.toString(),
        assetId: assetFreeze.assetIndex,
        newFreezeStatus: assetFreeze.frozen,
      }),
    applicationTransaction:
      applicationCall &&
      new models.TransactionApplication({
        applicationId: applicationCall.appIndex,
        onCompletion: 'noop',
        applicationArgs: [...applicationCall.appArgs],
      }),
  };
}

function signatureModel({ sig, msig }: SignedTransaction): models.TransactionSignature {
  if (!msig) return new models.TransactionSignature(defined({ sig }));
  const subsignature = msig.subsig.map(
    ({ pk, s }) =>
      new models.TransactionSignatureMultisigSubsignature(defined({ publicKey: pk, signature: s })),
  );
  const multisig = { subsignature, threshold: msig.thr, version: msig.v };
  return new models.TransactionSignature({
    multisig: new models.TransactionSignatureMultisig(multisig),
  });
}

/** Addresses whose transactions include this one. */
export function addressesOf({ signed: { txn } }: TakenTransaction): string[] {
  const { payment, assetTransfer, assetFreeze } = txn;
  const addresses = [
    txn.sender,
    payment?.receiver,
    payment?.closeRemainderTo,
    assetTransfer?.receiver,
    assetTransfer?.assetSender,
    assetTransfer?.closeRemainderTo,
    assetFreeze?.freezeAccount,
  ];
  return addresses.flatMap((address) => (address ? [encodeAddress(address.publicKey)] : []));
}

const ZEROS = new Uint8Array(32);

export const blockModel = (chain: Chain, round: bigint, withTransactions: boolean) =>
  new models.Block({
    round,
    timestamp: chain.timeOf(round),
    genesisHash: GENESIS_HASH,
    genesisId: GENESIS_ID,
    previousBlockHash: ZEROS,
    seed: ZEROS,
    transactionsRoot: ZEROS,
    transactionsRootSha256: ZEROS,
    upgradeState: new models.BlockUpgradeState({ currentProtocol: PROTOCOL }),
    transactions: withTransactions ? chain.blockOf(round).map(transactionModel) : [],
  });
