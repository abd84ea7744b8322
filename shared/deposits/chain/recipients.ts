import type { Config } from '../../composition/config.ts';
import { column, rows, type Database } from '../../platform/rows.ts';
import {
  CHAINS,
  spellingOf,
  type ChainRail,
  type ChainSettings,
  type RailSettings,
} from './networks.ts';

/** The settings of a rail; undefined: it is off. */
export const railOf = ({ deposits }: Config, rail: ChainRail): RailSettings | undefined =>
  (deposits.chains as ChainSettings)[rail];

/**
 * Whom a payment to us may be to: the addresses of the settings, and those of single agents. Not
 * the one that payments by x402 go to, each of which has a call that it pays for.
 */
export async function recipientsOf(
  db: Database,
  config: Config,
  rail: ChainRail,
): Promise<ReadonlySet<string>> {
  const { family } = CHAINS[rail];
  const { address, router } = railOf(config, rail) ?? {};
  const own = await rows(
    db,
    { address: column.text },
    'select address from deposit_address where family = $1',
    [family],
  );
  const all = [address, router, ...own.map((held) => held.address)].flatMap((one) => one ?? []);
  const recipients = new Set(all.map((one) => spellingOf(family, one)));
  if (config.x402) recipients.delete(spellingOf('evm', config.x402.payTo));
  return recipients;
}
