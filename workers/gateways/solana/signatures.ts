import type { SolanaNetwork } from '../../../shared/domains/deposits/solana/settings.ts';
import type { JsonRpc } from '../rpc/json_rpc.ts';

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

const PAGE = 1_000;

/**
 * The transactions of the deposit address, and of its account for USDC. They are listed by address,
 * because reading all blocks would be 100 MB a minute.
 */
export function openSignatures(ask: JsonRpc['ask'], { address, usdc }: SolanaNetwork) {
  return {
    /** Successful ones, oldest first. Throws if the provider has not reached the stretch's end. */
    async in(stretch: Stretch): Promise<readonly string[]> {
      // web3.js takes a tenth of a second to load, so only a process that reads Solana loads it.
      const { PublicKey } = await import('@solana/web3.js');
      const { tokenAccountOf } = await import('./token_instructions.ts');
      const holding = { owner: new PublicKey(address), mint: new PublicKey(usdc) };
      const listed = await Promise.all(
        [address, tokenAccountOf(holding).toBase58()].map((one) => listOf(ask, one, stretch)),
      );
      const found = listed.flat().toSorted((a, b) => a.slot - b.slot);
      return [...new Set(found.map(({ signature }) => signature))];
    },
  };
}

/** Lists from the newest backwards, because a list cannot begin at a slot. */
async function listOf(ask: JsonRpc['ask'], address: string, { from, to }: Stretch) {
  const found: SignatureEntry[] = [];
  for (let before: string | undefined; ;) {
    const page: SignatureEntry[] = await ask('getSignaturesForAddress', [
      address,
      // A node that is behind would leave out unseen transactions, so it has to refuse.
      { commitment: 'finalized', limit: PAGE, minContextSlot: to, ...(before && { before }) },
    ]);
    found.push(...page.filter(({ slot, err }) => slot >= from && slot <= to && err === null));
    const oldest = page.at(-1);
    if (!oldest || page.length < PAGE || oldest.slot < from) return found;
    before = oldest.signature;
  }
}
