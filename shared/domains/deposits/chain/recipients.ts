import type { EntityManager } from 'typeorm';

import type { Config } from '../../../composition/config.ts';
import { column, rows, type Database } from '../../../platform/rows.ts';
import { knownAddresses } from '../wallets/known_addresses.ts';
import type { ChainTransfer, Recipients } from './deposit_chain.ts';
import {
  CHAIN_RAILS,
  CHAINS,
  networkOf,
  spellingOf,
  type ChainRail,
  type ChainSettings,
  type PaidRail,
  type RailSettings,
} from './networks.ts';

/** The settings of a rail; undefined: it is off. */
export const railOf = ({ deposits }: Config, rail: ChainRail): RailSettings | undefined =>
  (deposits.chains as ChainSettings)[rail];

/** The rails that are on, with their settings, and the names of their networks in deposits. */
export const chainsOn = (config: Config) =>
  CHAIN_RAILS.flatMap((rail) => {
    const settings = railOf(config, rail);
    return settings ? [{ rail, settings, network: networkOf(rail, settings) }] : [];
  });

/** The name of a rail's network in deposits; undefined: the rail is off. */
const networkOn = (config: Config, rail: ChainRail): string | undefined => {
  const settings = railOf(config, rail);
  return settings && networkOf(rail, settings);
};

/** The same, of payments for calls, too. */
export const networkPaidOn = (config: Config, rail: PaidRail): string | undefined =>
  rail !== 'x402'
    ? networkOn(config, rail)
    : config.x402 && (config.x402.isSandbox ? 'sandbox' : 'base');

/** Addresses shared by all payers. */
function sharedRecipients(config: Config, rail: ChainRail): ReadonlySet<string> {
  const { address, router } = railOf(config, rail) ?? {};
  const all = [address ?? [], router ?? []].flat();
  return new Set(all.map((one) => spellingOf(CHAINS[rail].family, one)));
}

/** The shared address, unless it takes payments for calls. The router holds nothing. */
export function holderAddresses(config: Config, rail: ChainRail): readonly string[] {
  const { address } = railOf(config, rail) ?? {};
  if (address === undefined) return [];
  const one = spellingOf(CHAINS[rail].family, address);
  return isForCalls(config, one) ? [] : [one];
}

/** Our own wallets of the settings, whose payments are no deposits. */
export const ownWallets = (config: Config, rail: ChainRail): ReadonlySet<string> =>
  railOf(config, rail)?.own ?? new Set(holderAddresses(config, rail));

/** Whether x402 payments go to this address. */
const isForCalls = ({ x402 }: Config, address: string): boolean =>
  x402 !== undefined && spellingOf('evm', x402.payTo) === address;

/** The address of payments for calls, where other assets may come to it too. */
export const callsAddresses = ({ x402 }: Config, rail: ChainRail): readonly string[] =>
  x402 !== undefined && CHAINS[rail].family === 'evm' ? [spellingOf('evm', x402.payTo)] : [];

/** Whether payments for calls are made so. They are read on their own, and are no deposits. */
export const paysForCalls = (rail: ChainRail, asset: string): boolean =>
  rail === 'base' && asset === 'USDC';

/**
 * The payments among these that others made to us: to an address of the settings or of an agent.
 * Those from the wallet that pays withdrawals are left out: that money was ours before.
 */
export async function paidToUs(
  { db, config }: { db: Database; config: Config },
  rail: ChainRail,
  transfers: readonly ChainTransfer[],
): Promise<readonly ChainTransfer[]> {
  if (transfers.length === 0) return [];
  const { family } = CHAINS[rail];
  const addresses = [...new Set(transfers.map(({ to }) => spellingOf(family, to)))];
  const own = await rows(db, { address: column.text }, OWN_SQL, [family, addresses]);
  const all = new Set([
    ...sharedRecipients(config, rail),
    ...callsAddresses(config, rail),
    ...own.map(({ address }) => address),
  ]);
  const payers = family === 'evm' ? await hotWallets(db) : new Set();
  return transfers.filter(({ asset, from, to }) => {
    const address = spellingOf(family, to);
    const isOwn = payers.has(spellingOf(family, from));
    const isCall = paysForCalls(rail, asset) && isForCalls(config, address);
    return all.has(address) && !isOwn && !isCall;
  });
}

export const OWN_SQL =
  'select address from deposit_address where family = $1 and address = any ($2)';

/** All wallets that have ever paid withdrawals, in lower case. */
export async function hotWallets(db: Database): Promise<ReadonlySet<string>> {
  const sql = 'select lower(address) as address from hot_wallet';
  return new Set((await rows(db, { address: column.text }, sql)).map(({ address }) => address));
}

/**
 * Recipients to search for. A few others may be among them: `paidToUs` filters the payments found.
 */
export async function searchedRecipients(
  { db, config }: { db: EntityManager; config: Config },
  rail: ChainRail,
): Promise<Recipients> {
  const shared = sharedRecipients(config, rail);
  const own = await knownAddresses(db, CHAINS[rail].family);
  return {
    size: shared.size + own.size,
    has: (address) => (shared.has(address) || own.has(address)) && !isForCalls(config, address),
    *[Symbol.iterator]() {
      for (const address of shared) if (!isForCalls(config, address)) yield address;
      yield* own;
    },
  };
}
