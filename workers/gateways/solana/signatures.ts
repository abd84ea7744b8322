import { setTimeout as sleep } from 'node:timers/promises';

import type { SolanaNetwork } from '../../../shared/domains/deposits/solana/settings.ts';
import type { JsonRpc } from '../rpc/json_rpc.ts';
import { RpcRefusal } from '../rpc/refusal.ts';

/** Slots, both included. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

interface SignatureEntry {
  readonly signature: string;
  readonly slot: number;
  readonly err: unknown;
}

type Commitment = 'finalized' | 'confirmed';

const PAGE = 1_000;
/** Length of a slot. */
const SLOT_MS = 400;
const TRIES_MAX = 5;

/**
 * The transactions of the deposit address, and of its account for USDC. They are listed by address,
 * because reading all blocks would be 100 MB a minute.
 */
export function openSignatures(ask: JsonRpc['ask'], { address, usdc }: SolanaNetwork) {
  return {
    /** Successful ones, oldest first. Throws if the provider has not reached the stretch's end. */
    in: async (stretch: Stretch): Promise<readonly string[]> => {
      const both = [address, await usdcAccountOf({ address, usdc })];
      const lists = await Promise.all(
        both.map((one) => listOf(ask, one, { stretch, commitment: 'finalized' })),
      );
      const entries = lists.flat().filter(({ err }) => err === null);
      const sorted = entries.toSorted((a, b) => a.slot - b.slot);
      return [...new Set(sorted.map(({ signature }) => signature))];
    },
    /**
     * Those of one account, oldest first: confirmed ones, and failed ones, which cost their fee.
     * Within a slot they are in no order.
     */
    of: async (account: string, stretch: Stretch): Promise<readonly SignatureEntry[]> => {
      const entries = await onceReached(() =>
        listOf(ask, account, { stretch, commitment: 'confirmed' }),
      );
      return entries.toSorted((a, b) => a.slot - b.slot);
    },
  };
}

/**
 * A provider may have several nodes, of which the next is a moment behind the one that told the
 * slot: it is asked again.
 */
async function onceReached<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      const isBehind = error instanceof RpcRefusal && /context slot/i.test(error.message);
      if (!isBehind || tries === TRIES_MAX) throw error;
      await sleep(SLOT_MS);
    }
  }
}

/** The account of the deposit address for USDC. */
export async function usdcAccountOf({ address, usdc }: Pick<SolanaNetwork, 'address' | 'usdc'>) {
  // web3.js takes a tenth of a second to load, so only a process that reads Solana loads it.
  const { PublicKey } = await import('@solana/web3.js');
  const { tokenAccountOf } = await import('./token_instructions.ts');
  const holding = { owner: new PublicKey(address), mint: new PublicKey(usdc) };
  return tokenAccountOf(holding).toBase58();
}

interface Listing {
  readonly stretch: Stretch;
  readonly commitment: Commitment;
}

/** Lists from the newest backwards, because a list cannot begin at a slot. */
async function listOf(ask: JsonRpc['ask'], address: string, { stretch, commitment }: Listing) {
  const { from, to } = stretch;
  const found: SignatureEntry[] = [];
  for (let before: string | undefined; ;) {
    const page: SignatureEntry[] = await ask('getSignaturesForAddress', [
      address,
      // A node that is behind would leave out unseen transactions, so it has to refuse.
      { commitment, limit: PAGE, minContextSlot: to, ...(before && { before }) },
    ]);
    found.push(...page.filter(({ slot }) => slot >= from && slot <= to));
    const oldest = page.at(-1);
    if (!oldest || page.length < PAGE || oldest.slot < from) return found;
    before = oldest.signature;
  }
}
