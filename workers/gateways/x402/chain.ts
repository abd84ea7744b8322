import { id, Interface } from 'ethers';

import type { Finding, RecordedPayment } from '../../../shared/x402/gateway.ts';
import { CANCELLED, USED_BEFORE } from '../../../shared/x402/outcomes.ts';
import type { X402Rail } from '../../../shared/x402/settings.ts';
import type { JsonRpc } from '../evm/json_rpc.ts';

const AUTHORIZATION_USED = id('AuthorizationUsed(address,bytes32)');
const AUTHORIZATION_CANCELED = id('AuthorizationCanceled(address,bytes32)');
const TRANSFER = id('Transfer(address,address,uint256)');
/** EIP-3009, and whether a nonce is used or cancelled. */
const ASSET = new Interface([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
]);
/** Nodes refuse to search more at once. On Base these are five hours. */
const SEARCHED_BLOCKS_MAX = 9_000;
/** So long before it came to us a payment may have been used. */
const SEARCHED_MS = 24 * 3_600_000;
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

type Node = Pick<JsonRpc, 'ask'>;

/**
 * Whether a payment is on the chain. The asset itself says whether the nonce of its authorization
 * is used: one that is unused in a block after its time was never settled, and never will be. That
 * no log is found proves nothing. One that is used has a log, and in the same transaction the
 * transfer: both must be there, as they were signed. A payment that was used before it was sent to
 * us is not taken, because whoever reads the chain could send it with a key of its own. Rejects
 * where the provider knows a part of a payment: it is there, and is to be looked for again.
 */
export async function findOnChain(
  node: Node,
  { asset, payTo }: X402Rail,
  payment: RecordedPayment,
  blocksMax = SEARCHED_BLOCKS_MAX,
): Promise<Finding> {
  const { payer, nonce, amount, validBefore, recordedAt } = payment;
  const ask = <T>(method: string, ...params: unknown[]) => node.ask<T>(method, params);
  const latest = await ask<Block>('eth_getBlockByNumber', 'latest', false);
  const question = {
    to: asset,
    data: ASSET.encodeFunctionData('authorizationState', [payer, nonce]),
  };
  const state = await ask<string>('eth_call', question, latest.number);
  const [isUsed] = ASSET.decodeFunctionResult('authorizationState', state) as unknown as [boolean];
  const isOver = timeOf(latest) >= validBefore.getTime();
  if (!isUsed) return { isLapsed: isOver };

  const since = recordedAt.getTime() - SEARCHED_MS;
  const used = await useOf(node, { asset, payer, nonce, latest, since, blocksMax });
  // That no log is found proves nothing: logs may come from a node that is behind.
  if (!used) throw disagreement();
  if (used.topics[0] === AUTHORIZATION_CANCELED) return { isLapsed: true, reason: CANCELLED };

  const block = await ask<Block>('eth_getBlockByNumber', used.blockNumber, false);
  const receipt = await ask<Receipt | null>('eth_getTransactionReceipt', used.transactionHash);
  // Only what succeeded leaves a log: the receipt comes from a node that is behind.
  if (receipt?.status !== '0x1') {
    throw disagreement();
  }
  const transfer = transferIn(receipt.logs, used, asset);
  const isAsSigned =
    transfer?.topics[1] === topicOf(payer) &&
    transfer.topics[2] === topicOf(payTo) &&
    BigInt(transfer.data) === amount;
  if (timeOf(block) < recordedAt.getTime() - SKEW_MS)
    return { isLapsed: true, reason: USED_BEFORE };
  if (!isAsSigned) return { isLapsed: true };
  return {
    isLapsed: false,
    transfer: { txId: transfer.transactionHash, logIndex: Number(transfer.logIndex) },
  };
}

const disagreement = () => new Error('The provider of the chain does not agree with itself.');

interface NonceSearch {
  readonly asset: string;
  readonly payer: string;
  readonly nonce: string;
  readonly latest: Block;
  /** Of the chain's clock, in ms. What is older is not looked for. */
  readonly since: number;
  /** In one question. */
  readonly blocksMax: number;
}

/** The log of the use of a nonce, or of its cancellation, back to then. */
async function useOf(
  node: Node,
  { asset, payer, nonce, latest, since, blocksMax }: NonceSearch,
): Promise<LogEntry | undefined> {
  const topics = [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], topicOf(payer), nonce];
  for (let last = Number(latest.number); last >= 0; last -= blocksMax) {
    const fromBlock = hex(Math.max(0, last - blocksMax + 1));
    const range = { fromBlock, toBlock: hex(last) };
    const [found] = await node.ask<LogEntry[]>('eth_getLogs', [
      { address: asset, ...range, topics },
    ]);
    if (found) return found;
    const first = await node.ask<Block>('eth_getBlockByNumber', [fromBlock, false]);
    if (timeOf(first) < since) break;
  }
  return undefined;
}

const timeOf = ({ timestamp }: Block): number => Number(timestamp) * 1_000;

const hex = (block: number): string => `0x${block.toString(16)}`;

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
