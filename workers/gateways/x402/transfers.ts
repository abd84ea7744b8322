import { Interface } from 'ethers';

import type {
  ChainTransfer,
  SentTransfer,
  TransferPage,
} from '../../../shared/domains/x402/gateway.ts';
import type { X402Rail } from '../../../shared/domains/x402/settings.ts';
import type { LogLine } from '../evm/chain.ts';
import { addressOf, TRANSFER } from '../evm/transfers.ts';
import { AUTHORIZATION_USED, hex, topicOf, type Node } from './chain.ts';

const TOKEN = new Interface(['function balanceOf(address) view returns (uint256)']);

/** Senders that are named in one question: nodes refuse long ones. */
const SENDERS_MAX = 200;
/** Bounds the questions about the senders of a page. */
const TRANSFERS_MAX = 1_000;

type Asset = Pick<X402Rail, 'asset' | 'payTo'>;

/** Blocks, both included. */
interface Blocks {
  readonly from: number;
  readonly to: number;
}

export async function timeOf(node: Node, number: number): Promise<Date> {
  const params = [hex(number), false];
  const block = await node.ask<{ timestamp: string } | null>('eth_getBlockByNumber', params);
  if (!block) throw new Error('the node does not have a block that is final');
  return new Date(Number(block.timestamp) * 1_000);
}

export async function heldAt(node: Node, { asset, payTo }: Asset, block: number): Promise<bigint> {
  const data = TOKEN.encodeFunctionData('balanceOf', [payTo]);
  return BigInt(await node.ask<string>('eth_call', [{ to: asset, data }, hex(block)]));
}

/**
 * The transfers of the asset to the address that is paid, and from it. Of too many, those in the
 * first half of the blocks are read.
 */
export async function transfersIn(node: Node, asset: Asset, blocks: Blocks): Promise<TransferPage> {
  const { from, to } = blocks;
  const page = await pageOf(node, asset, blocks);
  if (page) return { to, ...page };
  return transfersIn(node, asset, { from, to: from + Math.floor((to - from) / 2) });
}

/** Undefined: there are too many, and fewer blocks can be asked for. */
async function pageOf(
  node: Node,
  { asset, payTo }: Asset,
  { from, to }: Blocks,
): Promise<Omit<TransferPage, 'to'> | undefined> {
  const logsOf = (topics: readonly unknown[]) =>
    node.ask<LogLine[]>('eth_getLogs', [
      { address: asset, fromBlock: hex(from), toBlock: hex(to), topics },
    ]);
  // Anybody can make a transfer of nothing from anybody.
  const movedBy = async (topics: readonly unknown[]) =>
    (await logsOf(topics)).filter(({ data }) => BigInt(data) > 0n);
  const logs = await movedBy([TRANSFER, null, topicOf(payTo)]);
  if (logs.length > TRANSFERS_MAX && from < to) return undefined;
  const sent = await movedBy([TRANSFER, topicOf(payTo)]);
  const senders = [...new Set(logs.map(({ topics }) => topics[1]))];
  const used: LogLine[] = [];
  for (let at = 0; at < senders.length; at += SENDERS_MAX) {
    used.push(...(await logsOf([AUTHORIZATION_USED, senders.slice(at, at + SENDERS_MAX)])));
  }
  const uses = new Map(used.map((log) => [positionOf(log), log]));
  return {
    transfers: logs.map((log) => transferOf(log, uses.get(positionOf(log, -1)))),
    sent: sent.map((log) => ({ ...movedIn(log), recipient: partyOf(log, 2) })),
  };
}

/** The asset logs the use of an authorization right before its transfer. */
const positionOf = ({ transactionHash, logIndex }: LogLine, offset = 0) =>
  `${transactionHash} ${Number(logIndex) + offset}`;

function transferOf(log: LogLine, use: LogLine | undefined): ChainTransfer {
  const isUsed = use !== undefined && use.topics[1] === log.topics[1];
  return {
    ...movedIn(log),
    sender: partyOf(log, 1),
    nonce: isUsed ? use.topics[2]!.toLowerCase() : null,
  };
}

const movedIn = (log: LogLine): Omit<SentTransfer, 'recipient'> => ({
  txHash: log.transactionHash.toLowerCase(),
  logIndex: Number(log.logIndex),
  amount: BigInt(log.data),
  block: Number(log.blockNumber),
});

/** The address in this topic of a transfer: 1 sends, 2 receives. */
const partyOf = ({ topics }: LogLine, at: 1 | 2): string => addressOf(`0x${topics[at]?.slice(26)}`);
