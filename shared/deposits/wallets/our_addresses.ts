import type { Config } from '../../composition/config.ts';
import { column, rows, type Database } from '../../platform/rows.ts';
import { spellingOf } from '../chain/networks.ts';
import { hotWallets, OWN_SQL } from '../chain/recipients.ts';

/**
 * Whether an address of the EVM is the platform's, or is the contract of a token that it takes:
 * where deposits and payments by x402 go, on any network, the addresses of agents, the wallets that
 * pay. Nothing is paid out to these, and what they pay is no deposit.
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
