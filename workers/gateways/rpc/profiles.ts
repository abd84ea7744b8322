import type { Config } from '../../../shared/composition/config.ts';
import { EVM_RAILS } from '../../../shared/domains/deposits/evm/settings.ts';
import type {
  ProviderDay,
  ProviderGateway,
} from '../../../shared/domains/deposits/providers/provider_gateway.ts';
import type { Store } from '../../../shared/platform/redis.ts';
import { openDayCounts } from './day_counts.ts';
import { openProfile, type Profile } from './profile.ts';
import { shownHost } from './redact.ts';

/** The providers that a process asks: all that ask one share what was learned of it. */
export interface Profiles extends ProviderGateway {
  of(url: string): Profile;
}

/** A provider of the settings. */
interface NamedProvider {
  readonly rail: string;
  readonly url: string;
}

/** All providers of the settings whose questions are counted. */
export function providersOf({ deposits, withdrawals, tokens, x402 }: Config): NamedProvider[] {
  const { chains, evm, prices } = deposits;
  const urls: readonly (readonly [string, readonly string[]])[] = [
    ['base', withdrawals.base.rpcUrls],
    ...EVM_RAILS.map((rail) => [rail, evm.networks[rail]?.rpcUrls ?? []] as const),
    ['algorand', chains.algorand?.indexers ?? tokens.algorand?.indexerUrls ?? []],
    ['algorand', tokens.algorand ? [tokens.algorand.algodUrl] : []],
    ['solana', chains.solana?.rpcUrls ?? tokens.solana?.rpcUrls ?? []],
    ['tron', chains.tron?.rpcUrls ?? []],
    ['x402', x402 ? [x402.rpcUrl] : []],
    ['prices', prices.chainlink ? [prices.chainlink.rpcUrl] : []],
  ];
  const all = urls.flatMap(([rail, some]) => some.map((url) => ({ rail, url })));
  return all.filter(({ url }, at) => all.findIndex((one) => one.url === url) === at);
}

/** Without a store nothing is counted. */
export function openProfiles(providers: readonly NamedProvider[] = [], store?: Store): Profiles {
  const names = providers.map(({ url }) => shownHost(url));
  const named = providers.map(({ rail, url }, at) => {
    const before = names.slice(0, at).filter((name) => name === names[at]).length;
    return { rail, url, provider: before === 0 ? names[at]! : `${names[at]} #${before + 1}` };
  });
  const known = new Map<string, Profile>();
  const counted = named.map(({ rail, url, provider }) => {
    const counts = openDayCounts(store, { rail, provider });
    const profile = openProfile(provider, counts);
    counts.tell(profile);
    known.set(url, profile);
    return { profile, counts };
  });
  return {
    of(url) {
      const profile = known.get(url) ?? openProfile(shownHost(url));
      known.set(url, profile);
      return profile;
    },
    async report(): Promise<readonly ProviderDay[]> {
      return (await Promise.all(counted.map(({ counts }) => counts.report()))).flat();
    },
  };
}
