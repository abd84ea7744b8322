import type { SolanaNetwork } from '../../../shared/deposits/solana/settings.ts';
import type { JsonRpc } from '../evm/json_rpc.ts';

/** Slots, both included. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

interface Listed {
  readonly signature: string;
  readonly slot: number;
  readonly err: unknown;
}

const PAGE = 1_000;

/**
 * The transactions of the deposit address, and of its account for USDC. They are listed by address:
 * to look through all blocks would be 100 MB a minute.
 */
export function openSignatures(ask: JsonRpc['ask'], { address, usdc }: SolanaNetwork) {
  return {
    /** Those that succeeded, oldest first. Throws if the provider has not come so far. */
    async in(stretch: Stretch): Promise<readonly string[]> {
      // web3.js takes a tenth of a second to load, and only a process that looks at Solana does.
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

/** From the newest backwards, because a list cannot begin at a slot. */
async function listOf(ask: JsonRpc['ask'], address: string, { from, to }: Stretch) {
  const found: Listed[] = [];
  for (let before: string | undefined; ;) {
    const page: Listed[] = await ask('getSignaturesForAddress', [
      address,
      // A node that is behind would leave out what it has not seen, so it has to refuse.
      { commitment: 'finalized', limit: PAGE, minContextSlot: to, ...(before && { before }) },
    ]);
    found.push(...page.filter(({ slot, err }) => slot >= from && slot <= to && err === null));
    const oldest = page.at(-1);
    if (!oldest || page.length < PAGE || oldest.slot < from) return found;
    before = oldest.signature;
  }
}
