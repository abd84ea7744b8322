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
  family: Family,
  transfers: readonly ChainTransfer[],
): Promise<readonly (Binding | undefined)[]> {
  const references = transfers.map(({ reference }) => parseReference(reference ?? ''));
  const agents = await findAgents(
    db,
    references.flatMap((reference) => reference?.agentId ?? []),
  );
  const find = (table: Table, addresses: readonly string[]) =>
    findHolders(db, table, family, addresses);
  const owners = await find(
    'deposit_address',
    transfers.map(({ to }) => to),
  );
  const senders = await find(
    'linked_wallet',
    transfers.map(({ from }) => from),
  );
  return transfers.map(({ from, to, at }, number) => {
    const reference = references[number];
    const named = reference && agents.get(reference.agentId);
    const found: readonly [Holder | undefined, Evidence['boundBy']][] = [
      [named?.random === reference?.random ? named : undefined, 'reference'],
      [owners.get(spellingOf(family, to)), 'address'],
      [senders.get(spellingOf(family, from)), 'wallet'],
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

type Table = 'deposit_address' | 'linked_wallet';

/** Those that have these addresses, by address. */
async function findHolders(
  db: Database,
  table: Table,
  family: Family,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Holder>> {
  const found = await rows(
    db,
    { ...HOLDER, address: column.text },
    `select held.address, held.agent_id, held.root_id, agent.created_at
       from ${table} held join agent on agent.id = held.agent_id
      where held.family = $1 and held.address = any ($2)`,
    [family, addresses.map((address) => spellingOf(family, address))],
  );
  return new Map(found.map(({ address, ...holder }) => [address, holder]));
}
