import type {
  ChainTransfer,
  Recipients,
  ScanOptions,
} from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import type { EvmNetwork } from '../../../shared/domains/deposits/evm/settings.ts';
import { computedSoFar, restSince } from '../../../shared/platform/shares/rest.ts';
import type { Profile } from '../rpc/profile.ts';
import type { Question } from '../rpc/question.ts';
import { assertAreOf, foundBy, headerAt, hexOf, type Ask } from './questions.ts';
import {
  DEPOSITED,
  pays,
  TRANSFER,
  transfersIn,
  type RawHeader,
  type RawLog,
  type RawReceipt,
  type RawTransaction,
} from './transfers.ts';

/** Blocks in a stretch, if the coin is taken: payments of the coin leave no log. */
const STRETCH_MAX = 50;
/** Maximum addresses in a filter of logs; with more, the logs of all addresses are read. */
export const NAMED_MAX = 200;
/** Whole blocks read at once: a larger answer would hold up the process. */
const WHOLE_MAX = 10;
/** Transactions read in one request. */
const READ_MAX = 25;

/** Blocks, both included, and the recipients whose payments are sought. */
interface Search extends ScanOptions {
  readonly from: number;
  readonly to: number;
  readonly recipients: Recipients;
}

const readsBlocks = ({ coin, readsBlocks: isOn = true }: EvmNetwork): boolean =>
  coin !== undefined && isOn;

/** Requests for whole blocks in a stretch, so that a slow provider is done with it in time. */
const WHOLE_REQUESTS = 5;

/** Blocks in a stretch: fewer where blocks are read whole and the provider takes small batches. */
export const stretchOf = ({ batch }: Pick<Profile, 'batch'>, network: EvmNetwork): number =>
  readsBlocks(network) ? Math.min(STRETCH_MAX, WHOLE_REQUESTS * batch.value) : STRETCH_MAX;

/** Finds the transactions that may have paid, and reads each as if it had been asked for. */
export async function scanBlocks(
  ask: Ask,
  network: EvmNetwork,
  search: Search,
): Promise<ChainTransfer[]> {
  const { from, to, recipients } = search;
  if (to - from >= STRETCH_MAX) throw new Error(`at most ${STRETCH_MAX} blocks at once`);
  const hints = await hintsIn(ask, network, search);
  const found: ChainTransfer[] = [];
  for (let at = 0; at < hints.length; at += READ_MAX) {
    found.push(...(await transfersOf(ask, network, hints.slice(at, at + READ_MAX))));
  }
  return found.filter((transfer) => recipients.has(transfer.to));
}

/** A transaction that may have paid one of the recipients. */
interface Hint {
  readonly hash: string;
  readonly block: string;
}

interface RawBlock {
  readonly number: string;
  readonly transactions: readonly RawTransaction[];
}

async function hintsIn(ask: Ask, network: EvmNetwork, search: Search): Promise<readonly Hint[]> {
  const filters = filtersOf(network, search);
  // A block that is missing is an error, so only logs may have been left out.
  const whole = readsBlocks(network) && !search.isAgain ? blocksOf(search) : [];
  if (filters.length + whole.length === 0) return [];
  let begun = computedSoFar();
  const [final, ...answers] = await ask<[RawHeader, ...unknown[]]>([
    headerAt(network.finality),
    ...filters.map((filter): Question => ['eth_getLogs', [filter]]),
    ...whole.slice(0, WHOLE_MAX),
  ]);
  // A provider that is behind lacks blocks there, and would report no payments.
  if (Number(final.number) < search.to) throw new Error(`a provider is behind ${search.to}`);

  for (let at = WHOLE_MAX; at < whole.length; at += WHOLE_MAX) {
    await restSince(begun);
    begun = computedSoFar();
    answers.push(...(await ask(whole.slice(at, at + WHOLE_MAX))));
  }
  const logs = (answers.slice(0, filters.length) as RawLog[][]).flat();
  const blocks = answers.slice(filters.length) as (RawBlock | null)[];
  const hints = logs
    .filter(({ topics }) => topics[0] === DEPOSITED || search.recipients.has(recipientIn(topics)))
    .map(({ transactionHash: hash, blockNumber: block }): Hint => ({ hash, block }));
  for (const block of blocks) {
    if (!block) throw new Error('a provider does not have a block that is final');
    for (const transaction of block.transactions) {
      const isPaid = pays(transaction) && search.recipients.has(transaction.to!.toLowerCase());
      if (isPaid) hints.push({ hash: transaction.hash, block: block.number });
    }
  }
  const byHash = new Map(hints.map((hint) => [hint.hash, hint]));
  return [...byHash.values()].toSorted((a, b) => Number(a.block) - Number(b.block));
}

const recipientIn = ([, , to = '']: readonly string[]) => `0x${to.slice(26).toLowerCase()}`;

function filtersOf({ tokens, router }: EvmNetwork, { from, to, recipients }: Search): object[] {
  const blocks = { fromBlock: hexOf(from), toBlock: hexOf(to) };
  const named = recipients.size > NAMED_MAX ? null : [...recipients].map(topicOf);
  const ofTokens = { ...blocks, address: [...tokens.keys()], topics: [TRANSFER, null, named] };
  const ofRouter = { ...blocks, address: router, topics: [DEPOSITED] };
  return [tokens.size > 0 ? ofTokens : [], router ? ofRouter : []].flat();
}

const blocksOf = ({ from, to }: Search): Question[] =>
  Array.from({ length: to - from + 1 }, (_, at) => [
    'eth_getBlockByNumber',
    [hexOf(from + at), true],
  ]);

const topicOf = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;

async function transfersOf(
  ask: Ask,
  network: EvmNetwork,
  hints: readonly Hint[],
): Promise<ChainTransfer[]> {
  const numbers = [...new Set(hints.map(({ block }) => block))];
  const answers = await ask([
    ...numbers.map(headerAt),
    ...hints.flatMap(({ hash }) => foundBy(hash)),
  ]);
  const headers = answers.slice(0, numbers.length) as (RawHeader | null)[];
  return hints.flatMap(({ hash, block }, at) => {
    const header = headers[numbers.indexOf(block)];
    const [transaction, receipt] = answers.slice(numbers.length + 2 * at) as [
      RawTransaction | null,
      RawReceipt | null,
    ];
    assertAreOf(hash, transaction, receipt);
    if (header?.hash !== receipt!.blockHash) throw new Error('a final block has changed');
    if (Number(receipt!.status) !== 1) return [];
    return transfersIn({ transaction: transaction!, receipt: receipt!, header }, network);
  });
}
