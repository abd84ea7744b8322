import { id } from 'ethers';

import type { Finding, RecordedPayment } from '../../../shared/x402/gateway.ts';
import type { X402Rail } from '../../../shared/x402/settings.ts';
import type { JsonRpc } from '../evm/json_rpc.ts';

const AUTHORIZATION_USED = id('AuthorizationUsed(address,bytes32)');
const TRANSFER = id('Transfer(address,address,uint256)');
/** Nodes refuse to search more. On Base these are five hours. */
const SEARCHED_BLOCKS_MAX = 9_000;
/** The clocks of the chain and of PostgreSQL may differ so much. */
const SKEW_MS = 10_000;

interface Block {
  readonly number: string;
  readonly timestamp: string;
}

interface LogEntry {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly transactionHash: string;
  readonly blockNumber: string;
  readonly logIndex: string;
}

/**
 * Whether a payment is on the chain. The asset logs that an authorization was used, and in the same
 * transaction the transfer: both must be there, as they were signed. A payment that was used before
 * it was sent to us is not taken, because whoever reads the chain could send it with a key of its
 * own. It has lapsed then, as has one that is not there when its time is over. Rejects where the
 * provider knows a part of a payment: it is there, and is to be looked for again.
 */
export async function findOnChain(
  node: Pick<JsonRpc, 'ask'>,
  { asset, payTo }: X402Rail,
  { payer, nonce, amount, validBefore, recordedAt }: RecordedPayment,
): Promise<Finding> {
  const ask = <T>(method: string, ...params: unknown[]) => node.ask<T>(method, params);
  const latest = await ask<Block>('eth_getBlockByNumber', 'latest', false);
  const first = Math.max(0, Number(latest.number) - SEARCHED_BLOCKS_MAX);
  const [used] = await ask<LogEntry[]>('eth_getLogs', {
    address: asset,
    fromBlock: `0x${first.toString(16)}`,
    toBlock: latest.number,
    topics: [AUTHORIZATION_USED, topicOf(payer), nonce],
  });
  const isOver = Number(latest.timestamp) * 1_000 >= validBefore.getTime();
  if (!used) return { isLapsed: isOver };

  const block = await ask<Block>('eth_getBlockByNumber', used.blockNumber, false);
  const isOlder = Number(block.timestamp) * 1_000 < recordedAt.getTime() - SKEW_MS;
  const receipt = await ask<Receipt | null>('eth_getTransactionReceipt', used.transactionHash);
  // Only what succeeded leaves a log: the receipt comes from a node that is behind.
  if (receipt?.status !== '0x1') {
    throw new Error('The provider of the chain does not agree with itself.');
  }
  const transfer = transferIn(receipt.logs, used, asset);
  const isAsSigned =
    transfer?.topics[1] === topicOf(payer) &&
    transfer.topics[2] === topicOf(payTo) &&
    BigInt(transfer.data) === amount;
  if (isOlder || !isAsSigned) return { isLapsed: true };
  return {
    isLapsed: false,
    transfer: { txId: transfer.transactionHash, logIndex: Number(transfer.logIndex) },
  };
}

interface Receipt {
  readonly status: string;
  readonly logs: readonly LogEntry[];
}

/** The asset logs the transfer right after the use. */
const transferIn = (logs: readonly LogEntry[], used: LogEntry, asset: string) =>
  logs.find(
    ({ address, topics, logIndex }) =>
      Number(logIndex) > Number(used.logIndex) &&
      address.toLowerCase() === asset.toLowerCase() &&
      topics[0] === TRANSFER,
  );

const topicOf = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
