import { id, Interface } from 'ethers';

import type { Finding, RecordedPayment } from '../../../shared/domains/x402/gateway.ts';
import { CANCELLED, USED_BEFORE } from '../../../shared/domains/x402/outcomes.ts';
import type { X402Rail } from '../../../shared/domains/x402/settings.ts';
import type { LogLine } from '../evm/chain.ts';
import type { JsonRpc } from '../rpc/json_rpc.ts';
import { TRANSFER } from '../evm/transfers.ts';

export const AUTHORIZATION_USED = id('AuthorizationUsed(address,bytes32)');
const AUTHORIZATION_CANCELED = id('AuthorizationCanceled(address,bytes32)');
/** Method of EIP-3009: whether a nonce is used or cancelled. */
const ASSET = new Interface([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
]);
/** Nodes refuse to search more blocks at once. On Base these are five hours. */
const SEARCHED_BLOCKS_MAX = 9_000;
/** Time before its arrival in which a payment may have been used. */
const SEARCHED_MS = 24 * 3_600_000;
/** Maximum difference of the clocks of the chain and of PostgreSQL. */
const SKEW_MS = 10_000;

interface Block {
  readonly number: string;
  readonly timestamp: string;
}

export type Node = Pick<JsonRpc, 'ask'>;

/**
 * Whether a payment is on the chain. The asset itself says whether the nonce of its authorization
 * is used: if it is unused in a block after its time, it was never settled and never will be. A
 * missing log proves nothing. A used nonce has a log and, in the same transaction, the transfer:
 * both must be there, as they were signed. A payment that was used before it was sent to us is not
 * accepted, because anybody who reads the chain could send it with another key. Rejects if the
 * provider knows only part of a payment: it exists, and must be looked for again.
 */
export async function findOnChain(
  node: Node,
  { asset }: Pick<X402Rail, 'asset'>,
  payment: RecordedPayment,
  blocksMax = SEARCHED_BLOCKS_MAX,
): Promise<Finding> {
  const { payer, nonce, amount, validBefore, recordedAt } = payment;
  // Our address when it was signed, which may be another by now.
  const payTo = payment.authorization.to;
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
  // A missing log proves nothing: logs may come from a node that is behind.
  if (!used) throw disagreement();
  if (used.topics[0] === AUTHORIZATION_CANCELED) return { isLapsed: true, reason: CANCELLED };

  const block = await ask<Block>('eth_getBlockByNumber', used.blockNumber, false);
  const receipt = await ask<Receipt | null>('eth_getTransactionReceipt', used.transactionHash);
  // Only a success leaves a log, so the receipt comes from a node that is behind.
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
    transfer: {
      txId: transfer.transactionHash,
      logIndex: Number(transfer.logIndex),
      block: Number(used.blockNumber),
    },
  };
}

const disagreement = () => new Error('The provider of the chain does not agree with itself.');

interface NonceSearch {
  readonly asset: string;
  readonly payer: string;
  readonly nonce: string;
  readonly latest: Block;
  /** Start of the search by the chain's clock, in ms. */
  readonly since: number;
  /** Maximum blocks in one question. */
  readonly blocksMax: number;
}

/** The log of the use or cancellation of a nonce, back to the start. */
async function useOf(
  node: Node,
  { asset, payer, nonce, latest, since, blocksMax }: NonceSearch,
): Promise<LogLine | undefined> {
  const topics = [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], topicOf(payer), nonce];
  for (let last = Number(latest.number); last >= 0; last -= blocksMax) {
    const fromBlock = hex(Math.max(0, last - blocksMax + 1));
    const range = { fromBlock, toBlock: hex(last) };
    const [found] = await node.ask<LogLine[]>('eth_getLogs', [
      { address: asset, ...range, topics },
    ]);
    if (found) return found;
    const first = await node.ask<Block>('eth_getBlockByNumber', [fromBlock, false]);
    if (timeOf(first) < since) break;
  }
  return undefined;
}

const timeOf = ({ timestamp }: Block): number => Number(timestamp) * 1_000;

export const hex = (block: number): string => `0x${block.toString(16)}`;

interface Receipt {
  readonly status: string;
  readonly logs: readonly LogLine[];
}

/** The asset logs the transfer right after the use. */
const transferIn = (logs: readonly LogLine[], used: LogLine, asset: string) =>
  logs.find(
    ({ address, topics, logIndex }) =>
      Number(logIndex) > Number(used.logIndex) &&
      address.toLowerCase() === asset.toLowerCase() &&
      topics[0] === TRANSFER,
  );

export const topicOf = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
