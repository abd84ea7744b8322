import type { Config } from '../../../composition/config.ts';
import { column, rows, type Database } from '../../../platform/rows.ts';
import { spellingOf } from '../chain/networks.ts';
import { hotWallets, OWN_SQL } from '../chain/recipients.ts';

/**
 * Whether an EVM address belongs to the platform or is the contract of an accepted token: addresses
 * for deposits and x402 payments on any network, addresses of agents, wallets that pay. Nothing is
 * paid out to these, and their payments are no deposits.
 */
export async function isOurs(
  { db, config }: { readonly db: Database; readonly config: Config },
  address: string,
): Promise<boolean> {
  const asked = spellingOf('evm', address);
  if (ofSettings(config).has(asked)) return true;
  const own = await rows(db, { address: column.text }, OWN_SQL, ['evm', [asked]]);
  return own.length > 0 || (await hotWallets(db)).has(asked);
}

function ofSettings({ deposits, withdrawals, x402 }: Config): ReadonlySet<string> {
  const all = [
    ...deposits.evm.all.flatMap((chain) => [
      ...[chain.address, chain.router].filter((one) => one !== undefined),
      ...chain.own,
      ...chain.tokens.keys(),
    ]),
    withdrawals.base.usdc,
    ...(x402 ? [x402.payTo, x402.asset] : []),
  ];
  return new Set(all.map((one) => spellingOf('evm', one)));
}
