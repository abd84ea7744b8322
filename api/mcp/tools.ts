import type { Tool } from '@modelcontextprotocol/server';

import { accessRefusal } from '../../shared/agents/access.ts';
import type { Caller } from '../../shared/agents/caller.ts';
import { tools as catalog } from '../../shared/kernel/catalog.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { invalid } from '../../shared/kernel/schema.ts';
import { answersOf, interfaceFieldsOf, shown } from '../http/schemas.ts';

/** The tools of the lists. Operators use REST. */
export const tools = new Map([...catalog].filter(([, op]) => op.access !== 'operator'));

const shownTools = new Map([...tools.values()].map((op) => [op, toolOf(op)]));

/** The interface's own tools come first, in its order. */
const inOrder = [...tools.values()].toSorted((a, b) => Number(b.core ?? 0) - Number(a.core ?? 0));

/** Groups are the domains, and these. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  market: ['products', 'orders'],
};
const groups = [
  ...new Set(['core', ...Object.keys(GROUPS), ...inOrder.map(({ domain }) => domain)]),
];

/** The groups that `?tools=` names; undefined: all. */
export function groupsOf(query: string | string[] | undefined): readonly string[] | undefined {
  const names = query === undefined ? undefined : [query].flat().join(',').split(',');
  if (names?.every((name) => groups.includes(name)) === false) {
    throw invalid([{ pointer: '/tools', message: `may name ${groups.join(', ')}` }]);
  }
  return names;
}

export interface ToolList {
  readonly tools: Tool[];
  /** The same as JSON. It may be as large as a page of text, so it is written once. */
  readonly json: Buffer;
}

const LISTS_MAX = 100;
const lists = new Map<string, ToolList>();

/**
 * The tools of these groups; for a known caller those that its key allows. `core` is exactly what
 * the interface lists, whatever the key.
 */
export function listTools(
  names: readonly string[] | undefined,
  caller: Caller | undefined,
): ToolList {
  const rights = caller && [...caller.scopes.toSorted(), caller.agentId === caller.rootId];
  const filter = JSON.stringify([names?.toSorted(), rights]);
  let list = lists.get(filter);
  if (!list) {
    const chosen = choose(names, caller).map((op) => shownTools.get(op)!);
    list = { tools: chosen, json: Buffer.from(JSON.stringify(chosen)) };
    if (lists.size >= LISTS_MAX) lists.clear(); // Callers choose the filters.
    lists.set(filter, list);
  }
  return list;
}

function choose(names: readonly string[] | undefined, caller: Caller | undefined): AnyOperation[] {
  const isCore = names?.includes('core') ?? false;
  const domains = names?.flatMap((name) => GROUPS[name] ?? [name]);
  const isChosen = (op: AnyOperation) => !domains || domains.includes(op.domain);
  return inOrder.filter((op) => (isCore && op.core) || (isChosen(op) && allows(caller, op)));
}

/** The tools whose names stand in this text. */
export const toolsNamedIn = (text: string): AnyOperation[] =>
  [...new Set(text.match(/\b[a-z]+(_[a-z]+)+\b/g))].flatMap((word) => tools.get(word) ?? []);

/** Whether this caller may call this tool; undefined: a caller without a key is shown them all. */
export const allows = (caller: Caller | undefined, op: AnyOperation): boolean =>
  !caller || !accessRefusal(caller, op);

function toolOf(op: AnyOperation) {
  const isRead = op.mode === 'read';
  return {
    name: op.name,
    title: op.title,
    description: op.summary,
    inputSchema: shown({
      ...op.input,
      properties: { ...op.input.properties, ...interfaceFieldsOf(op) },
    }) as { type: 'object' },
    // With the refusals: some clients check structuredContent even when isError is set.
    outputSchema: { type: 'object' as const, anyOf: answersOf(op).map(shown) },
    annotations: {
      title: op.title,
      readOnlyHint: isRead,
      destructiveHint: op.destructive ?? false,
      idempotentHint: isRead || (op.idempotent ?? false),
      // In the API process `gather` is only arithmetic; the network is for workers.
      openWorldHint: op.mode === 'job' && op.gather !== undefined,
    },
  };
}
