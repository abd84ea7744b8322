import type { SettingReader } from '../../../platform/config/environment.ts';
import { flag, list } from '../../../platform/config/setting_values.ts';
import { PAID_RAILS, type PaidRail } from '../chain/networks.ts';

type Reader = Pick<SettingReader, 'read'>;

/** Values of SANDBOX that are no list of networks. */
const WHOLE = ['true', 'false', 'none'];

/** The networks that SANDBOX names: their money is play money. */
export function sandboxedNetworks(text: string): readonly PaidRail[] {
  if (WHOLE.includes(text)) return [];
  const names = list(text) as PaidRail[];
  const odd = names.find((name) => !PAID_RAILS.includes(name));
  if (odd === undefined) return names;
  throw new Error(`names ${odd}: give true, false, none, or some of ${PAID_RAILS.join(', ')}`);
}

/** Whether a network is one of play money: SANDBOX names it, or its switch says so. */
export function isSandboxed({ read }: Reader, rail: PaidRail): boolean {
  const isNamed = read('SANDBOX', 'false', sandboxedNetworks).includes(rail);
  return SWITCHES[rail]({ read }) || isNamed;
}

/** The switch of each network, from before SANDBOX named networks: read for one release more. */
const SWITCHES: { readonly [rail in PaidRail]: (reader: Reader) => boolean } = {
  base: ({ read }) => read('BASE_SANDBOX', 'false', flag),
  arbitrum: ({ read }) => read('ARBITRUM_SANDBOX', 'false', flag),
  ethereum: ({ read }) => read('ETHEREUM_SANDBOX', 'false', flag),
  solana: ({ read }) => read('SOLANA_SANDBOX', 'false', flag),
  tron: ({ read }) => read('TRON_SANDBOX', 'false', flag),
  algorand: ({ read }) => read('ALGO_SANDBOX', 'false', flag),
  x402: ({ read }) => read('X402_SANDBOX', 'false', flag),
};
