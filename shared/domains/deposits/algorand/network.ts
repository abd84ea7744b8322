import type { Config } from '../../../composition/config.ts';
import { Text, Type } from '../../../kernel/schema.ts';
import { CHAINS, networkOf, shownNetwork } from '../chain/networks.ts';
import { railUnavailable } from '../rails.ts';
import type { AlgorandNetwork } from './settings.ts';

/** The network as shown to callers, or a refusal that names the missing settings. */
export function algorandOf({ deposits }: Config): AlgorandNetwork & { readonly shown: string } {
  const { algorand } = deposits.chains;
  if (!algorand) throw railUnavailable('algorand');
  return { ...algorand, shown: shownNetwork(networkOf('algorand', algorand)) };
}

export const ASSETS = CHAINS.algorand.assets.map(({ sign }) => sign);

export const Assets = Type.Array(Text(1, 20, 'Symbol of an asset.'), {
  description: 'Accepted assets.',
});
