import { column, rows, type Database, type Row } from '../../platform/rows.ts';
import type { Evidence } from '../deposit.ts';
import type { ChainTransfer } from './deposit_chain.ts';
import { spellingOf, type Family } from './networks.ts';
import { parseReference } from './references.ts';

/** Whose a payment is, and what says so. */
export interface Binding {
  readonly agentId: number;
  readonly rootId: number;
  readonly boundBy: Evidence['boundBy'];
}

/** Clocks of networks are not ours: a payment may seem so much older than its agent. */
const CLOCK_MS = 60_000;

/**
 * Whose each of these payments is: of whom its reference names, or who alone has its recipient, or
 * who has linked its sender; in this order. A hash that anybody can read proves nothing. Undefined:
 * nobody's, or of an agent that there was not when it was made.
 */
export async function bind(
  db: Database,
  { family, network }: { readonly family: Family; readonly network: string },
  transfers: readonly ChainTransfer[],
): Promise<readonly (Binding | undefined)[]> {
  const references = transfers.map(({ reference }) => parseReference(reference ?? ''));
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

/** Those whose own addresses were paid, by address. */
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
 * Who had linked the wallet that paid, by the number of the transfer. Of a wallet that was unlinked
 * and linked anew, whoever had it first after the payment; what is noted already stays with whom it
 * was noted for. The links are locked: none that binds a payment ends before that is noted.
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

export const SENDERS_SQL = `
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
