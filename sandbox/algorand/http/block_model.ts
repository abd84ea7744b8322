import {
  Address,
  ApplyData,
  Block,
  BlockHeader,
  EvalDelta,
  ParticipationUpdates,
  RewardState,
  SignedTransaction,
  SignedTxnInBlock,
  SignedTxnWithAD,
  Transaction,
  TxnCommitments,
  UpgradeState,
  UpgradeVote,
} from 'algosdk';

import { FEE_SINK } from '../ledger/apply.ts';
import { GENESIS_HASH, GENESIS_ID } from '../genesis.ts';
import type { Chain, TakenTransaction } from '../ledger/chain.ts';
import { defined } from './defined.ts';

export const PROTOCOL = 'sandbox';

const ZEROS = new Uint8Array(32);

/** A round in the form of a node. Without consensus, the fields that prove it are zeros. */
export function blockModel(chain: Chain, round: bigint): Block {
  const taken = chain.blockOf(round);
  const feesCollected = taken.reduce((sum, { signed }) => sum + signed.txn.fee, 0n);
  return new Block({
    header: new BlockHeader({
      round,
      branch: ZEROS,
      seed: ZEROS,
      txnCommitments: new TxnCommitments({
        nativeSha512_256Commitment: ZEROS,
        sha256Commitment: ZEROS,
      }),
      timestamp: chain.timeOf(round),
      genesisID: GENESIS_ID,
      genesisHash: GENESIS_HASH,
      proposer: Address.zeroAddress(),
      feesCollected,
      bonus: 0n,
      proposerPayout: 0n,
      rewardState: new RewardState({
        feeSink: Address.fromString(FEE_SINK),
        rewardsPool: Address.zeroAddress(),
        rewardsLevel: 0n,
        rewardsRate: 0n,
        rewardsResidue: 0n,
        rewardsRecalculationRound: 0n,
      }),
      upgradeState: new UpgradeState({
        currentProtocol: PROTOCOL,
        nextProtocol: '',
        nextProtocolApprovals: 0n,
        nextProtocolVoteBefore: 0n,
        nextProtocolSwitchOn: 0n,
      }),
      upgradeVote: new UpgradeVote({
        upgradePropose: '',
        upgradeDelay: 0n,
        upgradeApprove: false,
      }),
      txnCounter: 0n,
      stateproofTracking: new Map(),
      participationUpdates: new ParticipationUpdates({
        expiredParticipationAccounts: [],
        absentParticipationAccounts: [],
      }),
    }),
    payset: taken.map(inBlock),
  });
}

/** A block names its network once for all of its transactions. */
function inBlock({ signed, effects }: TakenTransaction): SignedTxnInBlock {
  const data = signed.txn.toEncodingData();
  data.delete('gen');
  data.delete('gh');
  const { sig, msig, sgnr } = signed;
  const { logs } = effects;
  return new SignedTxnInBlock({
    signedTxn: new SignedTxnWithAD({
      signedTxn: new SignedTransaction(
        defined({ txn: Transaction.fromEncodingData(data), sig, msig, sgnr }),
      ),
      applyData: new ApplyData(
        defined({
          closingAmount: effects.closingAmount,
          assetClosingAmount: effects.assetClosingAmount,
          configAsset: effects.assetIndex,
          applicationID: effects.applicationIndex,
          evalDelta: logs && logs.length > 0 ? new EvalDelta({ logs: [...logs] }) : undefined,
        }),
      ),
    }),
    hasGenesisID: signed.txn.genesisID !== undefined,
    hasGenesisHash: true,
  });
}
