import type { Tool } from '@modelcontextprotocol/server';

import { accessRefusal } from '../../shared/agents/access.ts';
import type { Caller } from '../../shared/agents/caller.ts';
import { NEXT_ACTIONS } from '../../shared/composition/error_body.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { invalid } from '../../shared/kernel/schema.ts';
import { tools, toolsNamedIn } from './tool_names.ts';
import { toolOf } from './tool_schemas.ts';

/** The specification's own tools come first, in its order. */
const inOrder = [...tools.values()].toSorted((a, b) => Number(b.core ?? 0) - Number(a.core ?? 0));
const all = new Set(inOrder);

/** The specification's tools, those that their texts and answers tell to call next, and so on. */
const core = new Set(inOrder.filter((op) => op.core));
for (const op of toolsNamedIn(JSON.stringify(NEXT_ACTIONS))) core.add(op);
// A Set is walked to what is added meanwhile, too.
for (const op of core) {
  for (const next of toolsNamedIn(JSON.stringify(toolOf(op, all)))) core.add(next);
}

/** Groups are the domains, and these. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  market: ['products', 'orders'],
};
const READ_ONLY = 'read-only';
const groups = [
  ...new Set(['core', ...Object.keys(GROUPS), ...inOrder.map(({ domain }) => domain)]),
];

/**
 * What `?tools=` chooses: groups and names of tools, and `read-only`, which leaves of the chosen
 * (alone: of all) those that change nothing and cost nothing. Undefined: all.
 */
export function filterOf(query: string | string[] | undefined): readonly string[] | undefined {
  const words = query === undefined ? undefined : [query].flat().join(',').split(',');
  const isKnown = (word: string) => word === READ_ONLY || groups.includes(word) || tools.has(word);
  if (words?.every(isKnown) === false) {
    const message = `may name tools, ${READ_ONLY} and the groups ${groups.join(', ')}`;
    throw invalid([{ pointer: '/tools', message }]);
  }
  return words && [...new Set(words)];
}

export interface ToolList {
  readonly tools: Tool[];
  /** The same as JSON. It is as large as a document, so it is written once. */
  readonly json: Buffer;
}

const LISTS_MAX = 100;
const lists = new Map<string, ToolList>();

/**
 * The tools that this filter chooses; for a known caller those that its key allows. `core` is the
 * same whatever the key.
 */
export function listTools(
  filter: readonly string[] | undefined,
  caller: Caller | undefined,
): ToolList {
  const rights = caller && [...caller.scopes.toSorted(), caller.agentId === caller.rootId];
  const name = JSON.stringify([filter?.toSorted(), rights]);
  let list = lists.get(name);
  if (!list) {
    const listed = choose(filter, caller);
    const chosen = [...listed].map((op) => toolOf(op, listed));
    list = { tools: chosen, json: Buffer.from(JSON.stringify(chosen)) };
    if (lists.size >= LISTS_MAX) lists.clear(); // Callers choose the filters.
    lists.set(name, list);
  }
  return list;
}

function choose(filter: readonly string[] = [], caller: Caller | undefined): Set<AnyOperation> {
  const isReadOnly = filter.includes(READ_ONLY);
  const words = filter.filter((word) => word !== READ_ONLY);
  const domains = words.flatMap((word) => GROUPS[word] ?? [word]);
  const isNamed = (op: AnyOperation) =>
    words.length === 0 || domains.includes(op.domain) || words.includes(op.name);
  const isChosen = (op: AnyOperation) =>
    (!isReadOnly || op.mode === 'read') &&
    ((words.includes('core') && core.has(op)) || (isNamed(op) && allows(caller, op)));
  const chosen = inOrder.filter(isChosen);
  // What a pending answer tells to call next, and any key may.
  const poll = chosen.some(({ mode }) => mode === 'job') ? tools.get('get_job') : undefined;
  return new Set(inOrder.filter((op) => op === poll || chosen.includes(op)));
}

/** Whether this caller may call this tool; undefined: a caller without a key is shown them all. */
export const allows = (caller: Caller | undefined, op: AnyOperation): boolean =>
  !caller || !accessRefusal(caller, op);
