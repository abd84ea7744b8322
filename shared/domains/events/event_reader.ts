import type { EventReader } from '../../kernel/terms/awaited.ts';

/** SQL: the condition on events for this reader, with parameters from `$<first>` on. */
export function conditionOf(
  { agentId, rootId, type, object }: EventReader,
  first: number,
): { sql: string; parameters: readonly unknown[] } {
  // Each is the predicate of an index. A subquery hides the value, so that the plan is that of an
  // average tree: for a tree with many of all events PostgreSQL would read those of others too.
  const own =
    agentId === rootId
      ? `root_id = (select $${first}::bigint)`
      : `agent_id = (select $${first}::bigint) and agent_id <> root_id`;
  const conditions = [own];
  const parameters: unknown[] = [agentId];
  const also = (sql: (n: string) => string, value: unknown) => {
    parameters.push(value);
    conditions.push(sql(`$${first + parameters.length - 1}`));
  };
  if (type !== undefined) {
    const isPrefix = type.endsWith('*');
    also((n) => (isPrefix ? `starts_with(type, ${n})` : `type = ${n}`), prefixOf(type));
  }
  if (object) {
    also((n) => `object_kind = ${n}`, object.kind);
    also((n) => `object_id = ${n}`, object.id);
  }
  return { sql: conditions.join(' and '), parameters };
}

const prefixOf = (type: string): string => type.replace(/\*$/, '');

interface EventFacts {
  readonly agent_id: number;
  readonly root_id: number;
  readonly type: string;
  readonly object_kind: string;
  readonly object_id: number;
}

/** The same condition for an event in memory. */
export function isFor({ agentId, rootId, type, object }: EventReader, event: EventFacts): boolean {
  const isOwn = agentId === rootId ? event.root_id === rootId : event.agent_id === agentId;
  if (!isOwn) return false;
  if (object && (event.object_kind !== object.kind || event.object_id !== object.id)) return false;
  if (type === undefined) return true;
  return type.endsWith('*') ? event.type.startsWith(prefixOf(type)) : event.type === type;
}
