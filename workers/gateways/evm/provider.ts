import { Interface } from 'ethers';

import type {
  ChainTransaction,
  DepositChain,
} from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import { ROUTER } from '../../../shared/domains/deposits/evm/router/router.ts';
import type { EvmNetwork } from '../../../shared/domains/deposits/evm/settings.ts';
import { LeftOut } from '../left_out.ts';
import type { JsonRpc } from '../rpc/json_rpc.ts';
import type { Profile } from '../rpc/profile.ts';
import type { Question } from '../rpc/question.ts';
import { RpcRefusal } from '../rpc/refusal.ts';
import { openBalances } from './balances/balances.ts';
import { hasNoneYet, tagOf } from './final_block.ts';
import { assertAreOf, foundBy, headerAt, type Ask } from './questions.ts';
import { scanBlocks, stretchOf } from './scan.ts';
import {
  notesOn,
  transfersIn,
  type MinedTransaction,
  type RawHeader,
  type RawReceipt,
  type RawTransaction,
} from './transfers.ts';

/** A network as one provider sees it. */
export function openProvider(rpc: JsonRpc, network: EvmNetwork): DepositChain {
  const ask = tellingFinal(checked(rpc, network), network, rpc.profile);
  return {
    get stretchMax() {
      return stretchOf(rpc.profile, network);
    },
    balances: openBalances(ask, network, rpc.profile),
    read: (txId) => readTransaction(ask, network, txId),
    scan: (from, to, recipients, how = {}) =>
      scanBlocks(ask, network, { from, to, recipients, ...how }),
    async finalPosition() {
      const [final] = await ask<[RawHeader]>([headerAt(network.finality)]);
      return { number: Number(final.number), at: new Date(Number(final.timestamp) * 1_000) };
    },
  };
}

/**
 * Leaves out a provider that does not know the tag of final blocks, as some gateways do: its words
 * cannot be told from those on blocks that may still be dropped.
 */
function tellingFinal(ask: Ask, { finality }: EvmNetwork, profile: Profile): Ask {
  const way = tagOf(finality);
  const isOfTag = ([method, [block]]: Question) =>
    method === 'eth_getBlockByNumber' && block === finality;

  /** The tag is asked for alone, because another question may have been refused. */
  async function isUnknown(): Promise<boolean> {
    try {
      await ask([headerAt(finality)]);
      return false;
    } catch (error) {
      return error instanceof RpcRefusal && error.kind === 'other';
    }
  }

  return async <T extends readonly unknown[]>(questions: readonly Question[]) => {
    const at = questions.findIndex(isOfTag);
    if (at < 0) return ask<T>(questions);
    if (profile.methods.takes(way)) {
      try {
        const answers = await ask<T>(questions);
        if (answers[at] === null) throw new Error(`${profile.name} has no final block yet`);
        return answers;
      } catch (error) {
        const isRefused = error instanceof RpcRefusal && error.kind === 'other';
        if (!isRefused || !(await isUnknown())) throw error;
        if (!hasNoneYet(error)) profile.methods.refused(way);
      }
    }
    throw new LeftOut(`${profile.name} does not know ${way}, so it is left out`);
  };
}

async function readTransaction(
  ask: Ask,
  network: EvmNetwork,
  txId: string,
): Promise<ChainTransaction> {
  // A block that becomes final after this question counts the next time.
  const [final, transaction, receipt] = await ask<
    [RawHeader, RawTransaction | null, RawReceipt | null]
  >([headerAt(network.finality), ...foundBy(txId)]);
  if (!transaction || !receipt) return { status: 'unknown' };
  assertAreOf(txId, transaction, receipt);
  const [header] = await ask<[RawHeader | null]>([headerAt(receipt.blockNumber)]);
  // The block of a receipt may no longer be part of the chain.
  if (header?.hash !== receipt.blockHash) return { status: 'unknown' };

  const mined: MinedTransaction = { transaction, receipt, header };
  const isFinal = Number(header.number) <= Number(final.number);
  if (Number(receipt.status) === 1) {
    const transfers = transfersIn(mined, network);
    return { status: isFinal ? 'final' : 'unfinal', transfers, notes: notesOn(mined, network) };
  }
  if (isFinal) return { status: 'failed' };
  return { status: 'unfinal', transfers: [], notes: ['It has failed, and moved nothing.'] };
}

/**
 * Hashes of the first blocks of real networks, by chain id: a local chain may have the same id, but
 * its money is worth nothing.
 */
const FIRST_BLOCKS: ReadonlyMap<number, string> = new Map([
  [1, '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3'],
  [8_453, '0xf712aa9241cc24369b143cf6dce85f0902a9731e70d66818a3a5845b296c73dd'],
  [42_161, '0x7ee576b35482195fc49205cec9af72ce14f003b9ae69f6ba0faef4514be8b442'],
]);

const ROUTER_CALLS = new Interface(ROUTER.abi as never);

type NetworkIdentity = Pick<EvmNetwork, 'chainId' | 'isSandbox' | 'router' | 'address'>;

/**
 * Checks first which network each provider is of, and that the router there pays us: its logs count
 * as payments to us. Nothing is read from a provider of another network, or with another router.
 */
export function checked(rpc: JsonRpc, network: NetworkIdentity): Ask {
  const host = rpc.profile.name;
  let isNetwork = false;
  let isRouter = network.router === undefined;
  return async <T extends readonly unknown[]>(questions: readonly Question[]) => {
    const ofNetwork = isNetwork ? [] : identityOf(network);
    const ofRouter = isRouter ? [] : [recipientOf(network)];
    const answers = await rpc.askAll([...ofNetwork, ...ofRouter, ...questions]);
    if (!isNetwork) assertIs(network, host, answers);
    isNetwork = true;
    const [recipient] = answers.slice(ofNetwork.length, ofNetwork.length + ofRouter.length);
    // Until there is a contract, it is asked again.
    if (!isRouter && recipient !== '0x') {
      assertPays(network, host, recipient);
      isRouter = true;
    }
    return answers.slice(ofNetwork.length + ofRouter.length) as unknown as T;
  };
}

function identityOf({ chainId, isSandbox }: NetworkIdentity): Question[] {
  const hasFirst = !isSandbox && FIRST_BLOCKS.has(chainId);
  return [['eth_chainId', []], ...(hasFirst ? [headerAt('0x0')] : [])];
}

function assertIs(
  { chainId, isSandbox }: NetworkIdentity,
  host: string,
  [id, first]: readonly unknown[],
): void {
  if (Number(id) !== chainId) {
    throw new Error(`${host} is of chain ${Number(id)}, not ${chainId}`);
  }
  const wanted = isSandbox ? undefined : FIRST_BLOCKS.get(chainId);
  if (wanted !== undefined && (first as RawHeader | null)?.hash !== wanted) {
    throw new Error(`${host} has the id of chain ${chainId}, and another first block`);
  }
}

const recipientOf = ({ router: to }: NetworkIdentity): Question => [
  'eth_call',
  [{ to, data: ROUTER_CALLS.encodeFunctionData('recipient') }, 'latest'],
];

function assertPays(
  { router, address = '' }: NetworkIdentity,
  host: string,
  recipient: unknown,
): void {
  const wanted = `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
  if (recipient === wanted) return;
  throw new Error(`the router ${router} pays somebody else than ${address}, says ${host}`);
}
