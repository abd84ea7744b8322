import type {
  ChainTransaction,
  ChainTransfer,
  DepositChain,
  Recipients,
  Position,
} from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import type { AlgorandNetwork } from '../../../shared/domains/deposits/algorand/settings.ts';
import type { Indexer } from './indexer.ts';
import { notesOn, transfersIn, wholeIn, type RawTransaction } from './transfers.ts';

interface TransactionAnswer {
  readonly 'current-round'?: number;
  readonly transaction?: RawTransaction;
}

interface Page {
  readonly 'current-round'?: number;
  readonly transactions?: readonly RawTransaction[];
  readonly 'next-token'?: string;
}

interface Block {
  readonly round?: number;
  readonly timestamp?: number;
  readonly 'genesis-hash'?: string;
}

/** Rounds in one search: eight hours. A search is by address, so it costs what was paid there. */
const STRETCH_MAX = 10_000;
const PAGE = 1_000;
const PAGES_MAX = 1_000;
/** A round that every indexer has. */
const FIRST_ROUND = 1;

/** The network as one indexer sees it. A round that it has is final. */
export function openProvider(indexer: Indexer, network: AlgorandNetwork): DepositChain {
  const ask = checked(indexer, network);
  return {
    stretchMax: STRETCH_MAX,
    read: (txId) => readTransaction(ask, network, txId),
    finalPosition: () => finalPosition(ask),
    scan: (from, to, recipients) => scanRounds(ask, network, { from, to, recipients }),
  };
}

async function readTransaction(
  ask: Ask,
  network: AlgorandNetwork,
  txId: string,
): Promise<ChainTransaction> {
  const raw = (await ask<TransactionAnswer>(`/v2/transactions/${txId}`))?.transaction;
  if (!raw) return { status: 'unknown' };
  if (raw.id !== txId) throw new Error('an indexer answers with another transaction');
  return { status: 'final', transfers: transfersIn(raw, network), notes: notesOn(raw) };
}

async function finalPosition(ask: Ask): Promise<Position> {
  const health = await ask<{ readonly round?: number }>('/health');
  const number = wholeIn(health?.round, 'round');
  const block = await ask<Block>(`/v2/blocks/${number}?header-only=true`);
  if (block?.round !== number) throw new Error('an indexer answers with another block');
  return { number, at: new Date(wholeIn(block.timestamp, 'timestamp') * 1_000) };
}

interface Search {
  readonly from: number;
  readonly to: number;
  readonly recipients: Recipients;
}

async function scanRounds(
  ask: Ask,
  network: AlgorandNetwork,
  { recipients, ...rounds }: Search,
): Promise<readonly ChainTransfer[]> {
  if (rounds.to - rounds.from >= STRETCH_MAX) throw new Error(`at most ${STRETCH_MAX} rounds`);
  const found: { readonly offset: number; readonly transfer: ChainTransfer }[] = [];
  for (const address of recipients) {
    for await (const raw of paymentsOf(ask, address, rounds)) {
      const offset = wholeIn(raw['intra-round-offset'] ?? 0, 'intra-round-offset');
      const transfers = transfersIn(raw, network).filter(
        ({ to, position }) => to === address && position >= rounds.from && position <= rounds.to,
      );
      found.push(...transfers.map((transfer) => ({ offset, transfer })));
    }
  }
  return found
    .toSorted((a, b) => a.transfer.position - b.transfer.position || a.offset - b.offset)
    .map(({ transfer }) => transfer);
}

/** All transactions that involve an address. */
async function* paymentsOf(
  ask: Ask,
  address: string,
  { from, to }: Omit<Search, 'recipients'>,
): AsyncGenerator<RawTransaction> {
  let next: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = new URLSearchParams({
      'min-round': String(from),
      'max-round': String(to),
      'tx-type': 'pay',
      limit: String(PAGE),
      ...(next && { next }),
    }).toString();
    const answer = await ask<Page>(`/v2/accounts/${address}/transactions?${query}`);
    // An indexer would silently leave out rounds that it has not reached yet.
    const come = wholeIn(answer?.['current-round'], 'current-round');
    if (come < to) throw new Error(`an indexer has come to round ${come}, and not to ${to}`);
    yield* answer?.transactions ?? [];
    next = answer?.['next-token'];
    if (!next || answer?.transactions?.length === 0) return;
  }
  throw new Error('a search does not end');
}

type Ask = Indexer['ask'];

/** Checks first which network each indexer is of. Nothing is read from one of another network. */
function checked(indexer: Indexer, { genesisHash }: AlgorandNetwork): Ask {
  let isRight = false;
  return async <T extends object>(path: string) => {
    if (!isRight) {
      const block = await indexer.ask<Block>(`/v2/blocks/${FIRST_ROUND}?header-only=true`);
      if (block?.['genesis-hash'] !== genesisHash) {
        throw new Error(`${indexer.host} is of another network`);
      }
      isRight = true;
    }
    return indexer.ask<T>(path);
  };
}
