/** Who reads events, and which: its own; a root those of its whole tree. */
export interface EventReader {
  readonly agentId: number;
  readonly rootId: number;
  /** Only those of this type (`order.created`), or of all that begin so (`order.*`). */
  readonly type?: string | undefined;
}

/** The next event for this reader after a position: what a caller may wait for. */
export interface NextEvent {
  readonly reader: EventReader;
  /** An event's id. */
  readonly after: number;
}

/** A condition on events for this reader, with its parameters from `$<first>` on. */
export function conditionOf(
  { agentId, rootId, type }: EventReader,
  first: number,
): { sql: string; parameters: readonly unknown[] } {
  // Each is the predicate of an index. As a subquery, so that the plan is that of an average tree:
  // for one with a large share of all events PostgreSQL would read those of all others too.
  const own =
    agentId === rootId
      ? `root_id = (select $${first}::bigint)`
      : `agent_id = (select $${first}::bigint) and agent_id <> root_id`;
  if (type === undefined) return { sql: own, parameters: [agentId] };
  const isType = type.endsWith('*') ? 'starts_with(type, $N)' : 'type = $N';
  const sql = `${own} and ${isType.replace('N', String(first + 1))}`;
  return { sql, parameters: [agentId, prefixOf(type)] };
}

const prefixOf = (type: string): string => type.replace(/\*$/, '');

/** The same condition, of an event in memory. */
export function isFor(
  { agentId, rootId, type }: EventReader,
  event: { readonly agent_id: number; readonly root_id: number; readonly type: string },
): boolean {
  const isOwn = agentId === rootId ? event.root_id === rootId : event.agent_id === agentId;
  if (!isOwn || type === undefined) return isOwn;
  return type.endsWith('*') ? event.type.startsWith(prefixOf(type)) : event.type === type;
}
