import type { Indexer } from './indexer.ts';
import { wholeIn, type RawTransaction } from './transfers.ts';

interface Page {
  readonly 'current-round'?: number;
  readonly transactions?: readonly RawTransaction[];
  readonly 'next-token'?: string;
}

/** Rounds, both included. */
interface Rounds {
  readonly from: number;
  readonly to: number;
  /** Kind of transactions; absent: all. */
  readonly type?: 'pay';
}

export type Ask = Indexer['ask'];

const PAGE = 1_000;
const PAGES_MAX = 1_000;

/** All transactions that involve an address. */
export async function* transactionsOf(
  ask: Ask,
  address: string,
  { from, to, type }: Rounds,
): AsyncGenerator<RawTransaction> {
  let next: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = new URLSearchParams({
      'min-round': String(from),
      'max-round': String(to),
      ...(type && { 'tx-type': type }),
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
