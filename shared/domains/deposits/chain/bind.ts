import { column, rows, type Database, type Row } from '../../../platform/rows.ts';
import type { Evidence } from '../deposit.ts';
import type { ChainTransfer } from './deposit_chain.ts';
import { spellingOf, type Family } from './networks.ts';
import { findReference } from './references.ts';

/** The agent that a payment is credited to, and the evidence for it. */
export interface Binding {
  readonly agentId: number;
  readonly rootId: number;
  readonly boundBy: Evidence['boundBy'];
}

/** Tolerated clock difference: a payment may seem this much older than its agent. */
const CLOCK_MS = 60_000;

/**
 * The agent each of these payments is credited to: the one its reference names, else the owner of
 * the recipient address, else the agent that has linked the sender. Knowing the hash proves
 * nothing: anybody can read it. Undefined: no agent, or one that was registered after the payment.
 */
export async function bind(
  db: Database,
  { family, network }: { readonly family: Family; readonly network: string },
  transfers: readonly ChainTransfer[],
): Promise<readonly (Binding | undefined)[]> {
  const references = transfers.map(({ reference }) => findReference(reference ?? ''));
  const agents = await findAgents(
    db,
    references.flatMap((reference) => reference?.agentId ?? []),
  );
  const owners = await findOwners(db, family, transfers);
  const senders = await findSenders(db, { family, network }, transfers);
  return transfers.map(({ to, at }, number) => {
    const reference = references[number];
    const named = reference && agents.get(reference.agentId);
    const found: readonly [Holder | undefined, Evidence['boundBy']][] = [
      [named?.random === reference?.random ? named : undefined, 'reference'],
      [owners.get(spellingOf(family, to)), 'address'],
      [senders.get(number), 'wallet'],
    ];
    const [holder, boundBy] = found.find(([who]) => who) ?? [];
    if (!holder || at.getTime() < holder.created_at.getTime() - CLOCK_MS) return undefined;
    return { agentId: holder.agent_id, rootId: holder.root_id, boundBy: boundBy! };
  });
}

const HOLDER = { agent_id: column.id, root_id: column.id, created_at: column.time };
type Holder = Row<typeof HOLDER>;
const NAMED = { ...HOLDER, random: column.text };

async function findAgents(
  db: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Row<typeof NAMED>>> {
  if (ids.length === 0) return new Map();
  const found = await rows(
    db,
    NAMED,
    `select id as agent_id, root_id, created_at, replace(reference::text, '-', '') as random
       from agent where id = any ($1)`,
    [ids],
  );
  return new Map(found.map((agent) => [agent.agent_id, agent]));
}

/** The agents whose own addresses were paid, by address. */
async function findOwners(
  db: Database,
  family: Family,
  transfers: readonly ChainTransfer[],
): Promise<ReadonlyMap<string, Holder>> {
  const found = await rows(
    db,
    { ...HOLDER, address: column.text },
    `select held.address, held.agent_id, held.root_id, agent.created_at
       from deposit_address held join agent on agent.id = held.agent_id
      where held.family = $1 and held.address = any ($2)`,
    [family, transfers.map(({ to }) => spellingOf(family, to))],
  );
  return new Map(found.map(({ address, ...holder }) => [address, holder]));
}

/**
 * The agents that had linked the paying wallets, by the number of the transfer. If a wallet was
 * unlinked and linked again, the agent that had it first after the payment; a recorded deposit
 * stays with its agent. Locks the links, so that none ends before its payment is recorded.
 */
async function findSenders(
  db: Database,
  { family, network }: { readonly family: Family; readonly network: string },
  transfers: readonly ChainTransfer[],
): Promise<ReadonlyMap<number, Holder>> {
  const found = await rows(db, { ...HOLDER, number: column.int }, SENDERS_SQL, [
    family,
    network,
    transfers.map(({ from }) => spellingOf(family, from)),
    transfers.map(({ at }) => at),
    transfers.map(({ txId }) => txId),
    transfers.map(({ index }) => index),
  ]);
  return new Map(found.map(({ number, ...holder }) => [number - 1, holder]));
}

const SENDERS_SQL = `
  select paid.number::int as number, held.agent_id, held.root_id, agent.created_at
    from unnest($3::text[], $4::timestamptz[], $5::text[], $6::int[])
         with ordinality as paid(address, at, tx_id, tx_index, number)
    left join deposit noted on (noted.network, noted.tx_id, noted.tx_index)
                             = ($2, paid.tx_id, paid.tx_index) and noted.look_at is not null
   cross join lateral (
     select agent_id, root_id from linked_wallet held
      where held.family = $1 and held.address = paid.address and held.network in ('all', $2)
        and (held.unlinked_at is null
             or held.unlinked_at > least(paid.at, noted.created_at))
      order by held.network = 'all', held.unlinked_at limit 1 for share) held
    join agent on agent.id = held.agent_id`;
