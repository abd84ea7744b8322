import type {
  ChainTransaction,
  ChainTransfer,
  DepositChain,
  Recipients,
  Position,
} from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import type { AlgorandNetwork } from '../../../shared/domains/deposits/algorand/settings.ts';
import { openBalances } from './balances.ts';
import type { Indexer } from './indexer.ts';
import { transactionsOf, type Ask } from './search.ts';
import { notesOn, transfersIn, wholeIn, type RawTransaction } from './transfers.ts';

interface TransactionAnswer {
  readonly 'current-round'?: number;
  readonly transaction?: RawTransaction;
}

interface Block {
  readonly round?: number;
  readonly timestamp?: number;
  readonly 'genesis-hash'?: string;
}

/** Rounds in one search: eight hours. A search is by address, so it costs what was paid there. */
const STRETCH_MAX = 10_000;
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
    balances: openBalances(ask, network),
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
  return { status: 'final', transfers: transfersIn(raw, network), notes: notesOn(raw, network) };
}

async function finalPosition(ask: Ask): Promise<Position> {
  const health = await ask<{ readonly round?: number }>('/health');
  const number = wholeIn(health?.round, 'round');
  const block = await ask<Block>(`/v2/blocks/${number}?header-only=true`);
  if (block?.round !== number) throw new Error('an indexer answers with another block');
  return { number, at: new Date(wholeIn(block.timestamp, 'timestamp') * 1_000) };
}

async function scanRounds(
  ask: Ask,
  network: AlgorandNetwork,
  { recipients, ...rounds }: { from: number; to: number; recipients: Recipients },
): Promise<readonly ChainTransfer[]> {
  if (rounds.to - rounds.from >= STRETCH_MAX) throw new Error(`at most ${STRETCH_MAX} rounds`);
  const found: { readonly offset: number; readonly transfer: ChainTransfer }[] = [];
  for (const address of recipients) {
    for await (const raw of transactionsOf(ask, address, { ...rounds, type: 'pay' })) {
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
