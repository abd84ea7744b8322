import type {
  ChainTransfer,
  DepositChain,
  ExplainedChange,
  ListedBalances,
} from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import { hexOfTron, tronOfHex } from '../../../shared/domains/deposits/tron/address.ts';
import { balanceOf } from '../evm/balances/questions.ts';
import { hexOf, headerAt, type Ask } from '../evm/questions.ts';
import { NAMED_MAX } from '../evm/scan.ts';
import { isTransfer, TRANSFER, transferOf, type RawLog } from '../evm/transfers.ts';
import { sumOf } from '../listed_changes.ts';
import type { Question } from '../rpc/question.ts';

interface Node {
  readonly ask: Ask;
  /** Contract of USDT. */
  readonly contract: string;
  /** Payments in blocks, those of our own address too. */
  readonly scan: DepositChain['scan'];
}

interface Move {
  readonly block: number;
  readonly address: string;
  readonly change: bigint;
}

/** Blocks with changes in one reading: each costs two questions. */
const BLOCKS_MAX = 40;
/** Readings of an address that is paid while it is read. */
const READINGS_MAX = 5;

/** USDT that addresses hold, as one node says: it knows the present alone. */
export function openTronBalances({ ask, contract, scan }: Node): ListedBalances {
  const head = async () => Number((await ask<[string]>([['eth_blockNumber', []]]))[0]);

  async function movesIn(from: number, to: number, addresses: readonly string[]) {
    if (from > to) return [];
    const blocks = { fromBlock: hexOf(from), toBlock: hexOf(to), address: contract };
    const filters: Question[] = [];
    for (let at = 0; at < addresses.length; at += NAMED_MAX) {
      const named = addresses.slice(at, at + NAMED_MAX).map(topicOf);
      for (const topics of [
        [TRANSFER, named],
        [TRANSFER, null, named],
      ]) {
        filters.push(['eth_getLogs', [{ ...blocks, topics }]]);
      }
    }
    const found = new Map<string, RawLog>();
    for (const log of (await ask<readonly RawLog[][]>(filters)).flat()) {
      found.set(`${log.transactionHash} ${Number(log.logIndex)}`, log);
    }
    const ours = new Set(addresses);
    return [...found.values()].filter(isTransfer).flatMap((log): Move[] => {
      const { from: sender, to: recipient, amount } = transferOf(log);
      const block = Number(log.blockNumber);
      const moves = [
        { block, address: sender, change: -amount },
        { block, address: recipient, change: amount },
      ];
      return moves.filter(({ address }) => ours.has(address));
    });
  }

  async function held(block: number, _asset: string, addresses: readonly string[]) {
    const found = new Map<string, bigint>();
    let unread = addresses.map(asHex);
    for (let readings = 0; unread.length > 0; readings += 1) {
      if (readings === READINGS_MAX) throw new Error('an address is paid while it is read');
      const first = await head();
      if (first < block) throw new Error(`a provider is behind ${block}`);
      const one = (address: string): Question => presently(balanceOf({ block, contract, address }));
      const now = await ask<readonly string[]>(unread.map(one));
      const moves = await movesIn(block + 1, await head(), unread);
      const again: string[] = [];
      for (const [n, address] of unread.entries()) {
        const since = moves.filter((move) => move.address === address);
        // The balance may be of before such a block, or of after it.
        if (since.some((move) => move.block > first)) again.push(address);
        else found.set(address, BigInt(now[n]!) - sumOf(since));
      }
      unread = again;
    }
    return addresses.map((address) => found.get(asHex(address))!);
  }

  return {
    held,
    async reach(_asset, { from, to, addresses }) {
      const blocks = blocksOf(await movesIn(from + 1, to, addresses.map(asHex)));
      return blocks.length > BLOCKS_MAX ? blocks[BLOCKS_MAX - 1]! : to;
    },
    async changes(asset, { from, to, addresses }) {
      const moves = await movesIn(from + 1, to, addresses.map(asHex));
      const all: ExplainedChange[] = [];
      for (const block of blocksOf(moves)) {
        const inBlock = moves.filter((move) => move.block === block);
        const changed = [...new Set(inBlock.map(({ address }) => tronOfHex(address)))];
        const transfers = await scan(block, block, new Set(changed));
        const [{ timestamp }] = await ask<[{ timestamp: string }]>([headerAt(hexOf(block))]);
        for (const address of changed.toSorted()) {
          all.push({
            block,
            asset,
            address,
            change: sumOf(inBlock.filter((move) => tronOfHex(move.address) === address)),
            at: new Date(Number(timestamp) * 1_000),
            transfers: transfers.filter(
              ({ to: recipient }: ChainTransfer) => recipient === address,
            ),
          });
        }
      }
      return all;
    },
  };
}

const blocksOf = (moves: readonly Move[]): readonly number[] =>
  [...new Set(moves.map(({ block }) => block))].toSorted((a, b) => a - b);

/** Nodes of Tron run calls on the newest block alone. */
const presently = ([method, [call]]: Question): Question => [method, [call, 'latest']];

const asHex = (address: string): string => hexOfTron(address)!;
const topicOf = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;
