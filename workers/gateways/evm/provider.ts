import type {
  ChainTransaction,
  DepositChain,
} from '../../../shared/deposits/chain/deposit_chain.ts';
import type { EvmNetwork } from '../../../shared/deposits/evm/settings.ts';
import type { JsonRpc, Question } from './json_rpc.ts';
import { assertAreOf, foundBy, headerAt, type Ask } from './questions.ts';
import { scanBlocks, STRETCH_MAX } from './scan.ts';
import {
  notesOn,
  transfersIn,
  type Mined,
  type RawHeader,
  type RawReceipt,
  type RawTransaction,
} from './transfers.ts';

/** What one provider says of a network. */
export function openProvider(rpc: JsonRpc, host: string, network: EvmNetwork): DepositChain {
  const ask = checked(rpc, host, network);
  return {
    stretchMax: STRETCH_MAX,
    read: (txId) => readTransaction(ask, network, txId),
    scan: (from, to, recipients) => scanBlocks(ask, network, { from, to, recipients }),
    async finalPosition() {
      const [final] = await ask<[RawHeader]>([headerAt(network.finality)]);
      return { number: Number(final.number), at: new Date(Number(final.timestamp) * 1_000) };
    },
  };
}

async function readTransaction(
  ask: Ask,
  network: EvmNetwork,
  txId: string,
): Promise<ChainTransaction> {
  // A block that becomes final after it was asked for the newest one is final the next time.
  const [final, transaction, receipt] = await ask<
    [RawHeader, RawTransaction | null, RawReceipt | null]
  >([headerAt(network.finality), ...foundBy(txId)]);
  if (!transaction || !receipt) return { status: 'unknown' };
  assertAreOf(txId, transaction, receipt);
  const [header] = await ask<[RawHeader | null]>([headerAt(receipt.blockNumber)]);
  // A receipt may be of a block that is no part of the chain any more.
  if (header?.hash !== receipt.blockHash) return { status: 'unknown' };

  const mined: Mined = { transaction, receipt, header };
  const isFinal = Number(header.number) <= Number(final.number);
  if (Number(receipt.status) === 1) {
    const transfers = transfersIn(mined, network);
    return { status: isFinal ? 'final' : 'unfinal', transfers, notes: notesOn(mined, network) };
  }
  if (isFinal) return { status: 'failed' };
  return { status: 'unfinal', transfers: [], notes: ['It has failed, and moved nothing.'] };
}

/**
 * The hashes of the first blocks of real networks, by chain id: a chain of a machine may have the
 * same id, and its money is worth nothing.
 */
const FIRST_BLOCKS: ReadonlyMap<number, string> = new Map([
  [1, '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3'],
  [8_453, '0xf712aa9241cc24369b143cf6dce85f0902a9731e70d66818a3a5845b296c73dd'],
  [42_161, '0x7ee576b35482195fc49205cec9af72ce14f003b9ae69f6ba0faef4514be8b442'],
]);

/** Each provider says first of which network it is. Of one that is of another nothing is read. */
export function checked(
  rpc: JsonRpc,
  host: string,
  { chainId, isSandbox }: Pick<EvmNetwork, 'chainId' | 'isSandbox'>,
): Ask {
  const wanted = isSandbox ? undefined : FIRST_BLOCKS.get(chainId);
  let isRight = false;
  return async <T extends readonly unknown[]>(questions: readonly Question[]) => {
    if (isRight) return (await rpc.askAll(questions)) as T;
    const first = wanted === undefined ? [] : [headerAt('0x0')];
    const [id, ...rest] = await rpc.askAll([['eth_chainId', []], ...first, ...questions]);
    if (Number(id) !== chainId) {
      throw new Error(`${host} is of chain ${Number(id)}, not ${chainId}`);
    }
    const [header] = rest.slice(0, first.length) as readonly (RawHeader | null)[];
    if (wanted !== undefined && header?.hash !== wanted) {
      throw new Error(`${host} has the id of chain ${chainId}, and another first block`);
    }
    isRight = true;
    return rest.slice(first.length) as unknown as T;
  };
}
