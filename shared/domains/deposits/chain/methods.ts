import type { Config } from '../../../composition/config.ts';
import { column, rows, type Database } from '../../../platform/rows.ts';
import { CHAINS, shownNetwork, type ChainRail, type RailSettings } from './networks.ts';
import { chainsOn } from './recipients.ts';
import { noteOf, referenceOf, routerReferenceOf, type Reference } from './references.ts';

interface Method {
  readonly network: string;
  readonly address?: string;
  readonly reference?: string;
}

/**
 * The way an agent pays on each chain that is on: to its own address, else with its reference in
 * the payment, else from a wallet that it has linked.
 */
export async function chainMethods(
  db: Database,
  config: Config,
  agentId: number,
): Promise<ReadonlyMap<string, Method>> {
  const on = chainsOn(config);
  if (on.length === 0) return new Map();
  const reference = await referenceOf(db, agentId);
  const own = await ownAddresses(db, agentId);
  return new Map(
    on.map(({ rail, settings, network }) => [
      rail,
      {
        network: shownNetwork(network),
        ...howToPay(rail, settings, own.get(CHAINS[rail].family), reference),
      },
    ]),
  );
}

function howToPay(
  rail: ChainRail,
  { address, router, xpub }: RailSettings,
  own: string | undefined,
  reference: Reference,
): Omit<Method, 'network'> {
  if (own !== undefined) return { address: own };
  // An address of its own is made by a call of tron_info, and another takes no reference.
  if (rail === 'tron' && xpub !== undefined) return {};
  if (router !== undefined) return { address: router, reference: routerReferenceOf(reference) };
  if (address === undefined) return {};
  const hasNotes = rail === 'algorand' || rail === 'solana';
  return { address, ...(hasNotes && { reference: noteOf(reference) }) };
}

async function ownAddresses(db: Database, agentId: number): Promise<ReadonlyMap<string, string>> {
  const sql = 'select family, address from deposit_address where agent_id = $1';
  const found = await rows(db, { family: column.text, address: column.text }, sql, [agentId]);
  return new Map(found.map(({ family, address }) => [family, address]));
}
